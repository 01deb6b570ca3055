// NVIDIA's disassembler, nvdisasm, where this machine has it: a program that writes a cubin out as text. It runs as a child
// within limits. Its output is checked where it is read (listing.hpp).
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <stop_token>
#include <string>

#include "device/error.hpp"

namespace warpbook::device {

/// The one command that gets it.
inline constexpr const char* kDisassemblerCommand = "./warpbook fetch disassembler";

/// $WARPBOOK_NVDISASM and nothing else where it is set; else in $WARPBOOK_CUDA and nowhere else where that is set; else in what
/// `./warpbook fetch disassembler` brought, and where a toolkit is looked for. Error: library_missing.
Expected<std::filesystem::path> find_disassembler();

struct DisassemblerLimits {
  double seconds = 10;
  std::uint64_t output_bytes = 64u << 20;
  std::uint64_t memory_bytes = 4ull << 30;  ///< address space
};

/// Its listing of a cubin: the code of all functions, with the bits of each instruction. Errors: library_damaged where it
/// cannot be started, library_died where it crashed or came to a limit, library_refused where it ended with another code
/// than 0, cancelled.
Expected<std::string> disassembled(const std::filesystem::path& disassembler,
                                   std::span<const std::uint8_t> cubin,
                                   const DisassemblerLimits& limits = {},
                                   const std::stop_token& stop = {});

/// The same by the disassembler that is here, or from the cache folder where it wrote this before: it takes a third of a second
/// to start. Error: library_missing as well.
Expected<std::string> disassembled(std::span<const std::uint8_t> cubin,
                                   const std::stop_token& stop = {});

/// "13.2.86". Errors as of disassembled(); library_refused where it says no version.
Expected<std::string> version_of_disassembler(const std::filesystem::path& disassembler,
                                              const DisassemblerLimits& limits = {});

}  // namespace warpbook::device
