// A report as bytes: how a process that checks an exercise hands its report to the one that started it.
//
// The form is a checksum (u64) and then the report by its lists of fields (device/wire/bytes.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "lab/report/report.hpp"

namespace warpbook::lab {

inline constexpr std::size_t kChecksumBytes = sizeof(std::uint64_t);

/// FNV-1a over 64-bit words, the last one filled up with zeros, then the length.
std::uint64_t checksum(std::span<const std::byte> bytes);

std::string to_binary(const Report& report);
/// Damaged bytes give the reason why they are no report, never a crash.
tl::expected<Report, std::string_view> report_from_binary(std::string_view bytes);

}  // namespace warpbook::lab
