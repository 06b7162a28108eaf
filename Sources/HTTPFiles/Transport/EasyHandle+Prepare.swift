import CCurl
import FileProviding
import Foundation

/// The options that differ from transfer to transfer. Each is set every time: handles are reused without a reset.
extension EasyHandle {
    /// The most seconds that a kept connection may have been idle; libcurl closes those idle for longer. Servers close
    /// connections after some seconds: a request that coincides with that is sent again over a new connection, unless
    /// it might then be done twice.
    private static let idleLimit = (repeatable: 118, unrepeatable: 1)

    /// - Returns: the list of header lines, which libcurl keeps using during the transfer.
    func prepare(for transfer: Transfer) -> UnsafeMutablePointer<curl_slist>? {
        let request = transfer.request
        set(CURLOPT_URL, request.url.absoluteString)
        set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds(request.deadlines.connect))
        set(CURLOPT_TIMEOUT_MS, request.deadlines.total.map(milliseconds) ?? 0)
        set(CURLOPT_MAXAGE_CONN, request.isSafeToRepeat ? Self.idleLimit.repeatable : Self.idleLimit.unrepeatable)
        // Some proxies close a connection after each reply, and do not say so. Over TLS they only pass bytes on.
        let isBeforeProxy = hasProxy && request.url.scheme == "http"
        set(CURLOPT_FRESH_CONNECT, request.isAlone || isBeforeProxy && !request.isSafeToRepeat ? 1 : 0)
        set(CURLOPT_FORBID_REUSE, request.isAlone ? 1 : 0)
        set(CURLOPT_ACCEPT_ENCODING, request.acceptsCompression ? "" : nil)
        set(CURLOPT_HTTPAUTH, request.digest == nil ? 0 : 1 << 1)
        set(CURLOPT_USERNAME, request.digest?.user)
        set(CURLOPT_PASSWORD, request.digest?.password)
        setTrust(request.trust)
        setMethod(request, upload: transfer.upload)
        let headers = headerLines(request, hasBody: transfer.upload != nil || request.method.anticipatesBody)
        set(CURLOPT_HTTPHEADER, UnsafeRawPointer(headers))
        return headers
    }

    func setTrust(_ trust: ServerTrust) {
        switch trust {
        case .authorities:
            set(CURLOPT_SSL_VERIFYPEER, 1)
            set(CURLOPT_SSL_VERIFYHOST, 2)
            set(CURLOPT_PINNEDPUBLICKEY, nil as String?)
        case .keys(let keys):
            set(CURLOPT_SSL_VERIFYPEER, 0)
            set(CURLOPT_SSL_VERIFYHOST, 0)
            set(CURLOPT_PINNEDPUBLICKEY, keys.map { "sha256//" + $0 }.joined(separator: ";"))
        case .inspection:
            set(CURLOPT_SSL_VERIFYPEER, 0)
            set(CURLOPT_SSL_VERIFYHOST, 0)
            set(CURLOPT_PINNEDPUBLICKEY, nil as String?)
            set(CURLOPT_CERTINFO, 1)
            set(CURLOPT_CONNECT_ONLY, 1)
            ccurl_set_request_callback(pointer, nil)
        }
    }

    private func setMethod(_ request: WireRequest, upload: (any UploadSource)?) {
        // First the plainest form, which undoes whatever the previous transfer set. With bytes of an earlier body left,
        // libcurl would not ask for another body from its beginning when it sends that again over a new connection.
        set(CURLOPT_POSTFIELDS, nil as UnsafeRawPointer?)
        set(CURLOPT_HTTPGET, 1)
        set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        if let bytes = upload?.inlineBytes {
            setInlineBody(bytes)
        } else if let upload {
            set(CURLOPT_UPLOAD, 1)
            set(CURLOPT_INFILESIZE_LARGE, offset: upload.length ?? -1)
        } else if request.method.anticipatesBody {
            setInlineBody(Data())
        } else if request.method == .head {
            set(CURLOPT_NOBODY, 1)
        }
    }

    private func setInlineBody(_ bytes: Data) {
        set(CURLOPT_POST, 1)
        set(CURLOPT_POSTFIELDSIZE_LARGE, offset: Int64(bytes.count))
        bytes.withUnsafeBytes { buffer in
            withUnsafePointer(to: 0 as UInt8) { nothing in
                set(CURLOPT_COPYPOSTFIELDS, buffer.baseAddress ?? UnsafeRawPointer(nothing))
            }
        }
    }

    private func headerLines(_ request: WireRequest, hasBody: Bool) -> UnsafeMutablePointer<curl_slist>? {
        var list: UnsafeMutablePointer<curl_slist>?
        var hasType = false
        for field in request.headers where !Self.ownFields.contains(where: { equalIgnoringCase($0, field.name) }) {
            if equalIgnoringCase(field.name, "Content-Type") { hasType = true }
            // libcurl drops a field whose value is empty, unless it is written with a semicolon.
            list = curl_slist_append(list, field.value.isEmpty ? field.name + ";" : field.name + ": " + field.value)
        }
        guard hasBody else { return list }
        // libcurl treats an inline body as a form, and may wait for `100 Continue` on its own.
        if !hasType { list = curl_slist_append(list, "Content-Type:") }
        return curl_slist_append(list, request.awaitsContinue ? "Expect: 100-continue" : "Expect:")
    }

    /// Fields that libcurl generates from the request itself.
    private static let ownFields = ["Content-Length", "Transfer-Encoding", "Connection", "Host", "Expect"]

    /// Converts seconds to at least 1 ms, since 0 means "no limit" to libcurl.
    func milliseconds(_ seconds: TimeInterval) -> Int {
        Int(max(1, min(seconds * 1000, 1e9)))
    }
}
