// What the renderers of the memory spaces share: names and phrases. Their drawing is in spaces_picture.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lab/exhibits/spaces/spaces.hpp"

namespace warpbook::lab {

/// Which of a theme's categories stands for a space, everywhere in the book.
std::size_t category_of(SpacesExhibit::Space space);
/// The same of a box; caches have none.
std::optional<std::size_t> category_of(SpacesExhibit::Box box);
/// What stands under a box's name: its size, or what was asked of it. May be empty.
std::string note_of(const SpacesExhibit& spaces, SpacesExhibit::Box box, const Strings& strings);
/// The first row of that space; null where there is none.
const SpacesExhibit::Row* row_of(const SpacesExhibit& spaces, SpacesExhibit::Space space);
/// Whether any request or byte is known of it that is not 0.
bool did_something(const SpacesExhibit::Row& row);

/// Bytes moved; bytes requested where what moved is not known; 0 where only the number of requests is known.
std::uint64_t flow_of(const SpacesExhibit::Row& row);

/// "228 KiB a multiprocessor".
std::string size_text(const SpacesExhibit::Row& row, const Strings& strings);
/// "28.6 clocks"; empty where there is no figure.
std::string latency_text(const SpacesExhibit::Row& row, const Strings& strings);
/// "264 requests, 32.3 KiB asked, 264 passes"; what is not known is left out, "nothing" where all is known and 0.
/// Of L1 it says that this is global memory's part.
std::string traffic_text(const SpacesExhibit::Row& row, const Strings& strings);
/// The shortest that says how much: "40 KiB", "264 requests", "0", or "not known".
std::string amount_text(const SpacesExhibit::Row& row, const Strings& strings);
/// "41 registers, 32 B of local memory": what a thread holds.
std::string thread_text(const SpacesExhibit& spaces, const Strings& strings);
/// The stations of a value's way in words: "device memory → L2 → L1 → registers".
std::string way_text(const SpacesExhibit::Journey& journey, const Strings& strings);
/// "c[3] = 4"
std::string followed_text(const SpacesExhibit::Journey& journey);

}  // namespace warpbook::lab
