/// The sections of the provider contract.
public enum ContractSection: String, Sendable, CaseIterable {
    /// The provider's capabilities.
    case capabilities = "Capabilities"
    /// Names and paths, however odd.
    case names = "Names"
    /// Directories' entries.
    case listing = "Listing"
    /// The attributes of an item.
    case attributes = "Attributes"
    /// Reading files.
    case reading = "Reading"
    /// Writing files.
    case writing = "Writing"
    /// Creating and removing.
    case directories = "Directories"
    /// Copying and moving within the provider.
    case copyAndMove = "Copy and move"
    /// Uploads and downloads.
    case transfer = "Transfer"
    /// Searching.
    case search = "Search"
    /// Changes as they happen.
    case monitor = "Monitor"
    /// Changes that are found by polling.
    case polling = "Polling"
    /// Symbolic links.
    case links = "Links"
    /// Undoing and the trash.
    case undo = "Undo"
    /// Quota, hashes, thumbnails, sharing, copies, URLs.
    case extended = "Extended"
    /// The callback forms and delegates.
    case callbacks = "Callbacks"
    /// Providers that are released while they work.
    case lifetime = "Lifetime"
    /// Connections that break.
    case faults = "Faults"
    /// Requests per operation.
    case budgets = "Budgets"

    /// The section's cases.
    public var cases: [ContractCase] {
        switch self {
        case .capabilities: CapabilityCases.all
        case .names: NameCases.all
        case .listing: ListingCases.all
        case .attributes: AttributeCases.all
        case .reading: ReadingCases.all
        case .writing: WritingCases.all
        case .directories: DirectoryCases.all
        case .copyAndMove: CopyAndMoveCases.all
        case .transfer: TransferCases.all
        case .search: SearchCases.all
        case .monitor: MonitorCases.all
        case .polling: PollingCases.all
        case .links: LinkCases.all
        case .undo: UndoCases.all
        case .extended: ExtendedCases.all
        case .callbacks: CallbackCases.all
        case .lifetime: LifetimeCases.all
        case .faults: FaultCases.all
        case .budgets: BudgetCases.all
        }
    }
}
