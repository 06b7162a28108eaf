import CCurl
import FileProviding
import Foundation

/// A libcurl easy handle, used for one transfer after another. It belongs to the loop's thread.
///
/// It is never reset: that would discard a digest server's nonce and cost each request a challenge. Instead every
/// option that varies is set for every transfer, in `prepare`.
final class EasyHandle {
    let pointer: UnsafeMutableRawPointer
    let size: BufferSize
    let settings: HandleSettings
    /// Whether there is a proxy for some servers or all.
    var hasProxy: Bool { settings.configuration.proxy != nil }
    private(set) var transfer: Transfer?
    private var headerList: UnsafeMutablePointer<curl_slist>?
    private let errorText: UnsafeMutablePointer<CChar>

    /// The size of libcurl's buffers. Fixed for a handle's life.
    enum BufferSize {
        /// For small requests, and for compressed replies, where the buffer limits how much can be unpacked at once.
        case small
        /// For files.
        case large
    }

    init?(_ size: BufferSize, settings: HandleSettings) {
        guard CurlLibrary.isReady, let pointer = curl_easy_init() else { return nil }
        self.pointer = pointer
        self.size = size
        self.settings = settings
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        install(callbacksFor: Unmanaged.passUnretained(self).toOpaque())
        settings.apply(to: self)
        set(CURLOPT_ERRORBUFFER, UnsafeRawPointer(errorText))
        set(CURLOPT_BUFFERSIZE, size == .large ? 512 << 10 : 16 << 10)
    }

    deinit {
        curl_easy_cleanup(pointer)
        curl_slist_free_all(headerList)
        errorText.deallocate()
    }

    /// Sets everything that is particular to a transfer.
    ///
    /// - Parameter isCrowded: whether many other transfers are running: if so, it sends from a small buffer, to save
    ///   memory.
    func begin(_ transfer: Transfer, isCrowded: Bool) {
        self.transfer = transfer
        errorText[0] = 0
        curl_slist_free_all(headerList)
        headerList = prepare(for: transfer)
        settings.applyClientCertificate(to: self, for: transfer.request.origin)
        // Measured with 1 GiB over loopback: sizes in between take twice the CPU time of either.
        set(CURLOPT_UPLOAD_BUFFERSIZE, isCrowded || transfer.hasShortBody ? 64 << 10 : 2 << 20)
    }

    func end() { transfer = nil }

    /// Makes libcurl continue in the directions that are not paused. A result other than `CURLE_OK` ends the transfer.
    func go() -> CURLcode {
        guard let transfer else { return CURLE_OK }
        let receiving = transfer.isReceivingPaused ? CURLPAUSE_RECV : CURLPAUSE_RECV_CONT
        let sending = transfer.isSendingPaused ? CURLPAUSE_SEND : CURLPAUSE_SEND_CONT
        return curl_easy_pause(pointer, receiving | sending)
    }

    /// libcurl's message about the last failure.
    var text: String? {
        errorText[0] == 0 ? nil : String(cString: errorText).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    var bytesSent: Int64 { offset(CURLINFO_SIZE_UPLOAD_T) }
    var bytesReceived: Int64 { offset(CURLINFO_SIZE_DOWNLOAD_T) }

    func long(_ info: CURLINFO) -> Int {
        var value = 0
        return ccurl_get_long(pointer, info, &value) == CURLE_OK ? value : 0
    }

    private func offset(_ info: CURLINFO) -> Int64 {
        var value: curl_off_t = 0
        return ccurl_get_offset(pointer, info, &value) == CURLE_OK ? Int64(value) : 0
    }

    func set(_ option: CURLoption, _ value: Int) { ccurl_set_long(pointer, option, value) }
    func set(_ option: CURLoption, offset value: Int64) { ccurl_set_offset(pointer, option, curl_off_t(value)) }
    func set(_ option: CURLoption, _ value: String?) { ccurl_set_string(pointer, option, value) }
    func set(_ option: CURLoption, _ value: UnsafeRawPointer?) { ccurl_set_pointer(pointer, option, value) }
}
