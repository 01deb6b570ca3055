// nvdisasm's listing of a cubin, parsed. No document describes its form, which differs between versions, and the program could
// be a different one. So the listing keeps the bits of each instruction, and the caller compares them with the cubin's own.
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
  std::uint64_t low = 0, high = 0;  ///< the instruction's 128 bits, as the listing shows them
};

/// By function, as its section is called without ".text.", then by address in bytes.
using Listing = std::map<std::string, std::map<std::uint64_t, ListedInstruction>, std::less<>>;

/// Of --print-code with --print-instruction-encoding, as versions 12 and 13 write it. Lines of another form are left out.
Listing read_listing(std::string_view text);

}  // namespace warpbook::device
