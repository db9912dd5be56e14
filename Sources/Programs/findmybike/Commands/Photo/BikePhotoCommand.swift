import ArgumentParser

struct BikePhotoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "photo",
        abstract: "Photos of your bikes, which only you and members see.",
        subcommands: [Add.self, List.self, Get.self, Order.self, Staff.self, Remove.self]
    )
}
