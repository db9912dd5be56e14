import ArgumentParser

struct BikePhotoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "photo",
        abstract: "Photos of your bikes, which only you see.",
        subcommands: [Add.self, List.self, Get.self, Order.self, Remove.self]
    )
}
