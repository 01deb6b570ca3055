// Small phrases out of which sentences and captions are put together, the same for every renderer.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "device/compiler/compiler.hpp"
#include "device/types.hpp"
#include "lab/text/strings.hpp"

namespace warpbook::lab {

/// A key with one count: `counted(strings, "count.threads", 12)` -> "12 threads".
std::string counted(const Strings& strings, std::string_view key, std::uint64_t count);
/// "a, b and c".
std::string joined(const Strings& strings, std::span<const std::string> items);
/// "n = 8, block = 4"
std::string settings_text(std::span<const std::pair<std::string, std::string>> settings);
/// Sentences one after another, with the language's own space between.
std::string sentences(const Strings& strings, std::span<const std::string> parts);
/// "4", "16 x 16": an extent without its trailing ones.
std::string extent(const device::Dim3& dim);
/// "thread 2 of block 1".
std::string thread_name(const Strings& strings, std::uint64_t thread,
                        std::uint64_t threads_a_block);
/// "measured", ... in the language.
std::string evidence_name(const Strings& strings, device::EvidenceKind kind);
/// "error", "warning", ... in the language.
std::string severity_word(const Strings& strings, device::Severity severity);
/// What a badge says: "counted · H200, simulated"; with the date where the figure is not of this run.
std::string badge(const Strings& strings, const device::Evidence& evidence);
/// At most `columns` columns of a text's first line that says anything.
std::string first_line(std::string_view text, int columns);
/// Lines of a text; a last line without its newline counts.
std::vector<std::string_view> lines_of(std::string_view text);

}  // namespace warpbook::lab
