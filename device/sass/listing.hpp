// What nvdisasm writes of a cubin, read as data. Its form is documented nowhere and differs between versions, and the program
// may be another one: nothing is taken on trust but what the caller can hold against the cubin's own bits.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace warpbook::device {

struct ListedInstruction {
  /// "@P0 IMAD R11, R2, 0x4, R1", without the semicolon; places in the same function are addresses: "BRA 0x90". Printable
  /// ASCII, at most 400 characters.
  std::string text;
  std::uint64_t low = 0, high = 0;  ///< the instruction's 128 bits, as they stand beside it
};

/// By function, as its section is called without ".text.", then by address in bytes.
using Listing = std::map<std::string, std::map<std::uint64_t, ListedInstruction>, std::less<>>;

/// Of --print-code with --print-instruction-encoding, as versions 12 and 13 write it. What is not understood is left out.
Listing read_listing(std::string_view text);

}  // namespace warpbook::device
