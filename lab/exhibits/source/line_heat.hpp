// What the lines of a source, and of its PTX, cost: one counter at a time, and which lines belong together.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lab/exhibits/source/source.hpp"

namespace warpbook::lab {

/// What a line's heat is of.
enum class Heat : std::uint8_t {
  threads,       ///< lanes that ran it
  instructions,  ///< executed by warps
  divergent,     ///< branches that parted a warp
  sectors,       ///< of 32 bytes, moved at L1
  conflicts,     ///< wavefronts of shared memory beyond those that the bytes alone would take
};
inline constexpr std::array kHeats{Heat::threads, Heat::instructions, Heat::divergent,
                                   Heat::sectors, Heat::conflicts};
/// "sectors moved".
std::string heat_name(Heat heat, const Strings& strings);
std::uint64_t heat_of(Heat heat, const SourceExhibit::Line& line);
std::uint64_t heat_of(Heat heat, const SourceExhibit::Instruction& instruction);
/// Those that any line has; threads always.
std::vector<Heat> heats_of(const SourceExhibit& source);

/// One counter by line. Both texts share the scale.
class LineHeat {
 public:
  LineHeat(const SourceExhibit& source, Heat heat);
  /// Lines count from 1; 0 also where nothing was counted.
  [[nodiscard]] std::uint64_t of_line(std::uint32_t line) const { return at(lines_, line); }
  [[nodiscard]] std::uint64_t of_ptx(std::uint32_t line) const { return at(ptx_, line); }
  [[nodiscard]] std::uint64_t most() const { return most_; }
  /// What of the most this is; 0 to 1.
  [[nodiscard]] double share(std::uint64_t value) const {
    return most_ == 0 ? 0 : static_cast<double>(value) / static_cast<double>(most_);
  }

 private:
  static std::uint64_t at(const std::vector<std::uint64_t>& values, std::uint32_t line) {
    return line < values.size() ? values[line] : 0;
  }
  std::vector<std::uint64_t> lines_, ptx_;
  std::uint64_t most_ = 0;
};

/// PTX lines that stem from a line of the source, ascending.
std::vector<std::uint32_t> ptx_lines_of(const SourceExhibit& source, std::uint32_t line);

}  // namespace warpbook::lab
