import Foundation
import RepositoryRuntime

/// The functions that convert data of earlier versions of the club.
struct ClubFunctions: ClubMigrations {
    /// Clients that live together share an address.
    func clientAddressTo2(
        _ old: ClubVersions.ClientAddressTo2.Old, into new: ClubVersions.ClientAddressTo2.New
    ) throws {
        var known: Set<Data> = []
        for client in old.clients {
            let place = "\(client.street), \(client.city)"
            let id = ClubVersions.AddressID(rawValue: "\(place.utf8.count): \(place)")
            if known.insert(Data(id.rawValue.utf8)).inserted {
                try new.addresses.insert(
                    .init(id: id, street: client.street, city: client.city))
            }
            try new.clients.insert(.init(id: client.id, name: client.name, addressID: id))
        }
    }

    /// A client has the highest level of the memberships, which are gone, and a number of visits.
    func clientMembershipTo3(
        _ old: ClubVersions.ClientMembershipTo3.Old, into new: ClubVersions.ClientMembershipTo3.New
    ) throws {
        for client in old.clients {
            let levels = old.memberships(clientID: client.id).map(\.level)
            try new.clients.insert(
                .init(
                    id: client.id, name: client.name, addressID: client.addressID,
                    level: levels.max() ?? 0, memberships: levels.count))
        }
    }

    /// Names of towns are written in capital letters.
    func addressTo4(
        _ old: ClubVersions.AddressTo4.Old, into new: ClubVersions.AddressTo4.New
    ) throws {
        for var address in old.addresses {
            address.town = address.town.uppercased()
            try new.addresses.insert(address)
        }
    }
}
