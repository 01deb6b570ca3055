// Several devices: what each of them holds in its own memory, and what they copied to one another.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "lab/markup/kind.hpp"

namespace warpbook::lab {

struct DevicesExhibit {
  static constexpr std::string_view kKind = "devices";
  /// Bytes of one sort in a device's memory.
  struct Held {
    Message what;  ///< "weights"
    std::uint64_t bytes = 0;
    friend bool operator==(const Held&, const Held&) = default;
  };
  struct Device {
    Message part;                       ///< of the work: "rows 0 to 15"
    std::uint32_t column = 0, row = 0;  ///< its place in the picture
    std::vector<Held> held;
    friend bool operator==(const Device&, const Device&) = default;
  };
  /// What was copied, once or several times for the same purpose.
  struct Link {
    std::uint32_t from = 0, to = 0;  ///< numbers of devices
    Message purpose;                 ///< "gradients"; links of one purpose have one colour
    std::uint64_t bytes = 0, copies = 0;
    friend bool operator==(const Link&, const Link&) = default;
  };
  std::vector<Device> devices;
  std::vector<Link> links;
  friend bool operator==(const DevicesExhibit&, const DevicesExhibit&) = default;
};

template <class V>
void fields(V&& visit, Is<DevicesExhibit::Held> auto& v) {
  visit("what", v.what);
  visit("bytes", v.bytes);
}

template <class V>
void fields(V&& visit, Is<DevicesExhibit::Device> auto& v) {
  visit("part", v.part);
  visit("column", v.column);
  visit("row", v.row);
  visit("held", v.held);
}

template <class V>
void fields(V&& visit, Is<DevicesExhibit::Link> auto& v) {
  visit("from", v.from);
  visit("to", v.to);
  visit("purpose", v.purpose);
  visit("bytes", v.bytes);
  visit("copies", v.copies);
}

template <class V>
void fields(V&& visit, Is<DevicesExhibit> auto& v) {
  visit("devices", v.devices);
  visit("links", v.links);
}
/// Links lead from one device that there is to another one, and no two devices have one place.
bool valid(const DevicesExhibit& v);

std::string sentence_of(const DevicesExhibit& devices, const Strings& strings);
void text_body(const DevicesExhibit& devices, const Strings& strings, Page& page);
std::string html_body(const DevicesExhibit& devices, const Strings& strings,
                      const std::string& caption);
Table table_of(const DevicesExhibit& devices, const Strings& strings);
void compare(const DevicesExhibit& a, const DevicesExhibit& b, Comparer& comparer);

}  // namespace warpbook::lab
