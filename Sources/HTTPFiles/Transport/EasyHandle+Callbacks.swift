import CCurl
import Foundation

/// libcurl calls these on the loop's thread, within `curl_multi_perform` and `curl_easy_pause`.
extension EasyHandle {
    func install(callbacksFor context: UnsafeMutableRawPointer) {
        ccurl_set_data_callback(pointer, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            EasyHandle.transfer(context).guarded(UnsafeRawBufferPointer(start: bytes, count: size * count)) {
                try $0.receiveHead($1)
                return true
            }
        }
        ccurl_set_data_callback(pointer, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            EasyHandle.transfer(context).guarded(UnsafeRawBufferPointer(start: bytes, count: size * count)) {
                try $0.receiveBody($1)
            }
        }
        ccurl_set_data_callback(pointer, CURLOPT_READFUNCTION) { bytes, size, count, context in
            EasyHandle.transfer(context).fill(UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
        }
        ccurl_set_seek_callback(pointer) { context, offset, origin in
            guard offset == 0, origin == SEEK_SET, EasyHandle.transfer(context).rewindBody() else {
                return CURL_SEEKFUNC_FAIL
            }
            return CURL_SEEKFUNC_OK
        }
        ccurl_set_request_callback(pointer) { context, _, _, _, _ in
            EasyHandle.transfer(context).willSend() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
        }
        ccurl_set_socket_callback(pointer) { _, socket, _ in
            ReceiveBuffer.bound(socket)
            return CURL_SOCKOPT_OK
        }
        for option in [CURLOPT_HEADERDATA, CURLOPT_WRITEDATA, CURLOPT_READDATA, CURLOPT_SEEKDATA, CURLOPT_PREREQDATA] {
            set(option, UnsafeRawPointer(context))
        }
    }

    /// Returns the transfer of the handle behind a callback's context. libcurl calls only while there is one.
    private static func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer {
        Unmanaged<EasyHandle>.fromOpaque(context!).takeUnretainedValue().transfer!
    }
}

extension Transfer {
    /// Runs a callback for received bytes: an error that it throws is kept and makes libcurl end the transfer.
    fileprivate func guarded(
        _ bytes: UnsafeRawBufferPointer, _ body: (Transfer, UnsafeRawBufferPointer) throws -> Bool
    ) -> Int {
        do {
            guard try body(self, bytes) else { return Int(CURL_WRITEFUNC_PAUSE) }
            return isSatisfied ? Int(CURL_WRITEFUNC_ERROR) : bytes.count
        } catch {
            failure = error
            return Int(CURL_WRITEFUNC_ERROR)
        }
    }

    fileprivate func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        do {
            return try takeBody(buffer) ?? Int(CURL_READFUNC_PAUSE)
        } catch {
            failure = error
            return Int(CURL_READFUNC_ABORT)
        }
    }
}
