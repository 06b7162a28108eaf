/// The envelope of every OCS reply.
struct OCSReply<Payload: Decodable>: Decodable {
    struct Body: Decodable {
        let meta: Meta
        let data: Payload

        private enum Key: String, CodingKey { case meta, data }

        /// A reply may have no data at all.
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            meta = try container.decode(Meta.self, forKey: .meta)
            data = try (OCSNothing() as? Payload) ?? container.decode(Payload.self, forKey: .data)
        }
    }

    struct Meta: Decodable {
        let statuscode: Int
        let message: String?

        /// Whether the status is 100 (version 1 of the API) or 200 (version 2).
        var isSuccess: Bool { statuscode == 100 || statuscode == 200 }
    }

    let ocs: Body
}

/// Data that is ignored.
struct OCSNothing: Decodable {
    init() {}
    init(from decoder: any Decoder) throws {}
}
