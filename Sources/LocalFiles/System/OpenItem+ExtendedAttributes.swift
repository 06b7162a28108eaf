import CPlatform
import FileProviding
import Glibc

/// The attribute that holds an item's access list (acl(5)).
let accessList = Array("system.posix_acl_access".utf8)

/// The attribute that holds the access list that a directory gives new items.
private let defaultAccessList = Array("system.posix_acl_default".utf8)

/// The kernel's limit for an item's attribute names, and for a value (`XATTR_LIST_MAX`, `XATTR_SIZE_MAX`).
private let mostBytes = 64 << 10

/// Extended attributes (xattr(7)).
extension OpenItem {
    /// Copies another item's `user.` attributes, as far as this file system supports them and has room.
    ///
    /// - Returns: whether the original has an access list.
    @discardableResult
    func takeExtendedAttributes(of original: some OpenItem) throws(Errno) -> Bool {
        var hasAccessList = false
        for name in try original.extendedAttributeNames() {
            if name == accessList {
                hasAccessList = true
            } else if name.starts(with: "user.".utf8), let value = try original.extendedAttribute(name) {
                do throws(Errno) { try systemCall { setExtendedAttribute(name, to: value) } } catch {
                    guard [EPERM, ENOTSUP, ENOSPC, EDQUOT, E2BIG, ERANGE].contains(error.code) else { throw error }
                }
            }
        }
        return hasAccessList
    }

    /// Copies the access list of another item, or of one in it; without one, removes the list that the directory gave
    /// this item.
    ///
    /// - Returns: the permissions that may be set afterwards. With a list, the group permissions are the most that
    ///   anyone in the list gets; where the list could not be copied, they would become the group's own permissions.
    func takeAccessList(of original: some OpenItem, _ name: ItemName? = nil) -> mode_t {
        do throws(Errno) {
            if let list = try original.extendedAttribute(accessList, of: name) {
                try systemCall { setExtendedAttribute(accessList, to: list) }
            } else {
                try removeExtendedAttribute(accessList)
            }
            return 0o7777
        } catch {
            return 0o7707
        }
    }

    /// Copies the access list that another directory gives new items; without one, removes what this one was given.
    func takeDefaultAccessList(of original: Directory) {
        if let list = try? original.extendedAttribute(defaultAccessList) {
            _ = setExtendedAttribute(defaultAccessList, to: list)
        } else {
            try? removeExtendedAttribute(defaultAccessList)
        }
    }

    private func extendedAttributeNames() throws(Errno) -> [[UInt8]] {
        do throws(Errno) {
            guard try systemCall({ fp_attribute_names(descriptor, nil, 0) }) > 0 else { return [] }
            var names = [UInt8](repeating: 0, count: mostBytes)
            let count = try systemCall { fp_attribute_names(descriptor, &names, mostBytes) }
            return names[..<count].split(separator: 0).map(Array.init)
        } catch {
            guard error.code == ENOTSUP || error.code == E2BIG else { throw error }
            return []
        }
    }

    /// Returns the value of an attribute of the item, or of one in this directory; `nil` where there is none.
    func extendedAttribute(_ attribute: [UInt8], of name: ItemName? = nil) throws(Errno) -> [UInt8]? {
        func get(_ buffer: UnsafeMutableRawPointer?, _ size: Int) throws(Errno) -> Int {
            try systemCall {
                attribute.withCString { attribute in
                    (name?.bytes ?? []).withCString { fp_attribute_at(descriptor, $0, attribute, buffer, size) }
                }
            }
        }
        do throws(Errno) {
            _ = try get(nil, 0)
            var value = [UInt8](repeating: 0, count: mostBytes)
            let count = try get(&value, mostBytes)
            return Array(value[..<count])
        } catch {
            // ENOENT: the item is gone in the meantime, and its attributes with it.
            guard [ENODATA, ENOTSUP, ENOENT].contains(error.code) else { throw error }
            return nil
        }
    }

    private func removeExtendedAttribute(_ attribute: [UInt8]) throws(Errno) {
        do throws(Errno) {
            try systemCall { attribute.withCString { fp_remove_attribute(descriptor, $0) } }
        } catch {
            guard error.code == ENODATA || error.code == ENOTSUP else { throw error }
        }
    }

    /// Returns what a system call returns.
    func setExtendedAttribute(_ attribute: [UInt8], to value: [UInt8]) -> Int32 {
        attribute.withCString { fp_set_attribute(descriptor, $0, value, value.count) }
    }
}
