import CCurl

/// libcurl's one-time setup.
enum CurlLibrary {
    /// Evaluated once, on first use; libcurl is ready afterwards.
    static let isReady: Bool = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK
}
