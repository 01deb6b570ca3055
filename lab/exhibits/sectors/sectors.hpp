// Warp-wide accesses to global memory lane by lane, and the sectors that they move.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/launch_record.hpp"
#include "lab/markup/kind.hpp"

namespace warpbook::lab {

/// Warp-wide accesses to global memory lane by lane, from the launch's trace, and what each access of the source moved in
/// the whole launch, from its counters.
struct SectorsExhibit {
  static constexpr std::string_view kKind = "sectors";
  /// Memory that lanes reached.
  struct Array {
    std::string name;  ///< empty: no allocation that is known
    std::uint64_t bytes = 0;
    std::uint32_t start = 0;  ///< its address modulo 128
    friend bool operator==(const Array&, const Array&) = default;
  };
  /// An access of the source: all instructions that one line became, of one kind and width, to one array.
  struct Place {
    std::uint32_t line = 0;
    std::uint32_t array = 0;  ///< index into arrays
    device::AccessKind kind = device::AccessKind::load;
    std::uint32_t bytes = 0;  ///< of a lane; 0 where the trace ended before
    std::uint64_t requests = 0, sectors = 0, bytes_asked = 0;  ///< at L1
    friend bool operator==(const Place&, const Place&) = default;
  };
  struct Lane {
    std::uint8_t lane = 0;
    std::uint32_t array = 0;   ///< index into arrays
    std::uint64_t offset = 0;  ///< bytes from the array's start; of unknown memory, the address
    friend bool operator==(const Lane&, const Lane&) = default;
  };
  /// One of them by one warp.
  struct Request {
    std::uint32_t place = 0;            ///< index into places
    std::uint32_t block = 0, warp = 0;  ///< linear; the warp in its block
    std::vector<Lane> lanes;
    friend bool operator==(const Request&, const Request&) = default;
  };
  device::Dim3 grid, block;
  std::vector<Array> arrays;
  std::vector<Place> places;
  std::vector<Request> requests;  ///< the first of each place, in the order of the trace
  std::uint32_t chosen = 0;       ///< of requests: what is shown first
  bool stopped = false;           ///< a budget ended the launch before its end
  friend bool operator==(const SectorsExhibit&, const SectorsExhibit&) = default;
};

/// What sectors_of() shows first.
struct WantedRequest {
  std::uint32_t line = 0;                              ///< of the source; 0: any
  device::AccessKind kind = device::AccessKind::load;  ///< where a line is named
  std::uint32_t block = 0, warp = 0;
};
/// The launch's accesses to global memory as lanes and sectors; of each place in the source, its first requests.
SectorsExhibit sectors_of(const device::LaunchRecord& record, const WantedRequest& wanted = {});

template <class V>
void fields(V&& visit, Is<SectorsExhibit::Array> auto& v) {
  visit("name", v.name);
  visit("bytes", v.bytes);
  visit("start", v.start);
}

template <class V>
void fields(V&& visit, Is<SectorsExhibit::Place> auto& v) {
  visit("line", v.line);
  visit("array", v.array);
  visit("kind", v.kind);
  visit("bytes", v.bytes);
  visit("requests", v.requests);
  visit("sectors", v.sectors);
  visit("bytes_asked", v.bytes_asked);
}

template <class V>
void fields(V&& visit, Is<SectorsExhibit::Lane> auto& v) {
  visit("lane", v.lane);
  visit("array", v.array);
  visit("offset", v.offset);
}

template <class V>
void fields(V&& visit, Is<SectorsExhibit::Request> auto& v) {
  visit("place", v.place);
  visit("block", v.block);
  visit("warp", v.warp);
  visit("lanes", v.lanes);
}

template <class V>
void fields(V&& visit, Is<SectorsExhibit> auto& v) {
  visit("grid", v.grid);
  visit("block", v.block);
  visit("arrays", v.arrays);
  visit("places", v.places);
  visit("requests", v.requests);
  visit("chosen", v.chosen);
  visit("stopped", v.stopped);
}
/// Places, requests and lanes refer to what the exhibit holds.
bool valid(const SectorsExhibit& v);

void extras(JsonExtras& json, const SectorsExhibit::Place& place);
void extras(JsonExtras& json, const SectorsExhibit::Request& request, const SectorsExhibit& whole);

std::string sentence_of(const SectorsExhibit& sectors, const Strings& strings);
void text_body(const SectorsExhibit& sectors, const Strings& strings, Page& page);
std::string html_body(const SectorsExhibit& sectors, const SectorsExhibit* beside,
                      const Strings& strings, const std::string& caption);
Table table_of(const SectorsExhibit& sectors, const Strings& strings);
void compare(const SectorsExhibit& a, const SectorsExhibit& b, Comparer& comparer);

}  // namespace warpbook::lab
