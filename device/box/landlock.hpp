// Landlock: rules on paths, ports and signals that a process sets up for itself and its children, and cannot lift again.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "device/box/refusal.hpp"
#include "device/wire/fields.hpp"

namespace warpbook::device {

enum class PlaceUse : std::uint8_t {
  read,   ///< reading and executing
  write,  ///< that, and whatever makes, changes and removes files
  device  ///< reading and writing a device
};
constexpr auto enum_names(PlaceUse) { return checked_names<PlaceUse>("read", "write", "device"); }

/// A file, or a folder with all that is in it.
struct Place {
  std::string path;  ///< absolute
  PlaceUse use = PlaceUse::read;
  friend bool operator==(const Place&, const Place&) = default;
};
template <class V>
void fields(V&& visit, Is<Place> auto& v) {
  visit("path", v.path);
  visit("use", v.use);
}

/// The kernel's version of Landlock; below 1: there is none.
long landlock_version();
/// From this one on, a path that may not be written cannot be truncated either.
inline constexpr long kLandlockKeepsLengths = 3;
/// From this one on, signals go to processes under the same rules alone.
inline constexpr long kLandlockKeepsSignals = 6;

/// Leaves this process the use of these places, and no TCP port and no signal to other processes where the kernel's version
/// has rules for them. A place that does not exist is passed over. Needs no_new_privs.
Refusal enter_landlock(std::span<const Place> places);

}  // namespace warpbook::device
