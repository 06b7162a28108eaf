// The WebDAV server that comes with Go's libraries, and with which Caddy and others serve: godav ADDRESS FOLDER.
package main

import (
	"log"
	"net/http"
	"os"

	"golang.org/x/net/webdav"
)

func main() {
	handler := &webdav.Handler{FileSystem: webdav.Dir(os.Args[2]), LockSystem: webdav.NewMemLS()}
	log.Fatal(http.ListenAndServe(os.Args[1], handler))
}
