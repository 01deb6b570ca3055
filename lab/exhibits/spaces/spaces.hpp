// A GPU's memory spaces and caches, what one launch did there, and the way of one value through them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "device/launch_record.hpp"
#include "lab/markup/kind.hpp"

namespace warpbook::lab {

/// A GPU's memory spaces and caches: how large each is, how long it lets one wait, and what one launch did there.
struct SpacesExhibit {
  static constexpr std::string_view kKind = "spaces";
  enum class Space : std::uint8_t { registers, local, shared, l1, l2, dram, constant, texture };
  struct Row {
    Space space = Space::registers;
    std::uint64_t bytes =
        0;  ///< of it there are on this GPU, as name_of(space)'s size says; 0: no figure
    double latency = 0;      ///< clocks from asking to having, published by others; 0: no figure
    bool estimated = false;  ///< what follows is the cache model's, not counted
    // What the launch did there; none: not known.
    std::optional<std::uint64_t> requests;  ///< warp instructions; of L1 those to global memory
    std::optional<std::uint64_t> asked;     ///< bytes: lanes x bytes
    std::optional<std::uint64_t> moved;     ///< bytes, in whole sectors
    std::optional<std::uint64_t>
        passes;  ///< of shared memory over its banks, of constant memory one an address
    std::optional<std::uint64_t> stored;  ///< of `moved`, of shared and local memory of `asked`
    friend bool operator==(const Row&, const Row&) = default;
  };
  /// What the picture has boxes for: places on a multiprocessor, L2, and what stands in device memory.
  enum class Box : std::uint8_t {
    registers,
    l1,
    shared,
    constant_cache,
    l2,
    global,
    local,
    texture,
    constant
  };
  /// The way of one value, station by station, as the launch's trace has it.
  struct Station {
    Box box = Box::global;
    Message says;
    Message cost;                                ///< "40 clocks", "1 store"; may be empty
    std::uint32_t line = 0;                      ///< of the source; 0: none
    std::optional<std::uint32_t> block, thread;  ///< who did it, linear
    friend bool operator==(const Station&, const Station&) = default;
  };
  struct Journey {
    std::string name, value;        ///< "x[37]", "-5"
    std::vector<Station> stations;  ///< empty: no thread read or wrote it
    // Of the value's first place; 0 where the record has no lanes of it (textures).
    std::uint64_t readers = 0;   ///< threads
    std::uint64_t requests = 0;  ///< warp instructions
    std::uint64_t sectors = 0;   ///< of the request that brought it, where sectors are what moves
    friend bool operator==(const Journey&, const Journey&) = default;
  };
  std::string kernel, gpu;
  std::optional<std::uint32_t> registers;      ///< a thread; none: no machine code
  std::optional<std::uint32_t> spilled_bytes;  ///< of local_bytes; none: no machine code
  /// Loads and stores of local memory that stand in the machine code; none: no machine code. The assembler may do without
  /// what PTX declares.
  std::optional<std::uint32_t> machine_local;
  std::uint32_t local_bytes = 0;           ///< a thread, as PTX declares it
  std::uint32_t shared_bytes = 0;          ///< a block
  std::optional<double> l1_hits, l2_hits;  ///< of the sectors that loads asked for: estimated
  std::vector<Row> rows;
  std::optional<Journey> journey;  ///< where there is one, it is what the exhibit is about
  friend bool operator==(const SpacesExhibit&, const SpacesExhibit&) = default;
};

constexpr auto enum_names(SpacesExhibit::Space) {
  return device::checked_names<SpacesExhibit::Space>("registers", "local", "shared", "l1", "l2",
                                                     "dram", "constant", "texture");
}

constexpr auto enum_names(SpacesExhibit::Box) {
  return device::checked_names<SpacesExhibit::Box>("registers", "l1", "shared", "constant-cache",
                                                   "l2", "global", "local", "texture", "constant");
}

template <class V>
void fields(V&& visit, Is<SpacesExhibit::Row> auto& v) {
  visit("space", v.space);
  visit("bytes", v.bytes);
  visit("latency", v.latency);
  visit("estimated", v.estimated);
  visit("requests", v.requests);
  visit("asked", v.asked);
  visit("moved", v.moved);
  visit("passes", v.passes);
  visit("stored", v.stored);
}

template <class V>
void fields(V&& visit, Is<SpacesExhibit::Station> auto& v) {
  visit("box", v.box);
  visit("says", v.says);
  visit("cost", v.cost);
  visit("line", v.line);
  visit("block", v.block);
  visit("thread", v.thread);
}

template <class V>
void fields(V&& visit, Is<SpacesExhibit::Journey> auto& v) {
  visit("name", v.name);
  visit("value", v.value);
  visit("stations", v.stations);
  visit("readers", v.readers);
  visit("requests", v.requests);
  visit("sectors", v.sectors);
}

template <class V>
void fields(V&& visit, Is<SpacesExhibit> auto& v) {
  visit("kernel", v.kernel);
  visit("gpu", v.gpu);
  visit("registers", v.registers);
  visit("spilled_bytes", v.spilled_bytes);
  visit("machine_local", v.machine_local);
  visit("local_bytes", v.local_bytes);
  visit("shared_bytes", v.shared_bytes);
  visit("l1_hits", v.l1_hits);
  visit("l2_hits", v.l2_hits);
  visit("rows", v.rows);
  visit("journey", v.journey);
}

/// No figure is null.
void extras(JsonExtras& json, const SpacesExhibit::Row& row);

std::string sentence_of(const SpacesExhibit& spaces, const Strings& strings);
void text_body(const SpacesExhibit& spaces, const Strings& strings, Page& page);
std::string html_body(const SpacesExhibit& spaces, const SpacesExhibit* beside,
                      const Strings& strings, const std::string& caption);
std::string_view style_of(std::type_identity<SpacesExhibit> kind);
Table table_of(const SpacesExhibit& spaces, const Strings& strings);
void compare(const SpacesExhibit& a, const SpacesExhibit& b, Comparer& comparer);

}  // namespace warpbook::lab
