// Two memories: what their renderers share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/exhibits/memories/memories.hpp"

namespace warpbook::lab {

/// Whether an array has a place on that side; managed memory has one on both.
bool is_on_host(const MemoriesExhibit::Array& array);
bool is_on_device(const MemoriesExhibit::Array& array);

/// Bytes that cross the link in one direction.
std::uint64_t bytes_across(const MemoriesExhibit& memories, bool to_device);
/// How many times something crosses it.
std::uint64_t crossings(const MemoriesExhibit& memories, bool to_device);

/// "pinned memory of the host".
std::string memory_name(MemoriesExhibit::Memory memory, const Strings& strings);
/// "24 B", "16 B × 3": of each of several equal times.
std::string size_text(const MemoriesExhibit::Transfer& transfer);
/// "25.2 GB/s"; empty where it is not known.
std::string rate_text(double rate);
/// The name of what a transfer reaches on the GPU's side: an array, or its threads.
std::string device_end(const MemoriesExhibit& memories, const MemoriesExhibit::Transfer& transfer,
                       const Strings& strings);
/// All of one transfer in a sentence.
std::string transfer_text(const MemoriesExhibit& memories, std::size_t transfer,
                          const Strings& strings);

}  // namespace warpbook::lab
