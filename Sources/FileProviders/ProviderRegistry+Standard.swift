import GalleryFiles
import LocalFiles
import MemoryFiles
import SFTPFiles
import WebDAVFiles

extension ProviderRegistry {
    /// The providers of this package.
    public static let standard: ProviderRegistry = {
        var registry = ProviderRegistry()
        registry.register(LocalFileProvider.self)
        registry.register(WebDAVFileProvider.self)
        registry.register(SFTPFileProvider.self)
        registry.register(GalleryFileProvider.self)
        registry.register(MemoryFileProvider.self)
        return registry
    }()
}
