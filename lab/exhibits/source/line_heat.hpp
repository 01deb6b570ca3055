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
  time,          ///< its part of the estimated time, in picoseconds
};
inline constexpr std::array kHeats{Heat::threads, Heat::instructions, Heat::divergent,
                                   Heat::sectors, Heat::conflicts,    Heat::time};
inline constexpr double kPicoseconds = 1e12;  ///< of a second
/// "sectors moved".
std::string heat_name(Heat heat, const Strings& strings);
std::uint64_t heat_of(Heat heat, const SourceExhibit::Line& line);
std::uint64_t heat_of(Heat heat, const SourceExhibit::Instruction& instruction);
/// "1,024", or of a time "2.4 µs"; empty where there is nothing.
std::string heat_text(Heat heat, std::uint64_t value);
/// What takes most of a line's estimated time, "DRAM"; empty without one.
std::string waits_for(const SourceExhibit::Line& line, const Strings& strings);
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
  [[nodiscard]] Heat kind() const { return heat_; }
  [[nodiscard]] std::string text(std::uint64_t value) const { return heat_text(heat_, value); }
  /// What of the most this is; 0 to 1.
  [[nodiscard]] double share(std::uint64_t value) const {
    return most_ == 0 ? 0 : static_cast<double>(value) / static_cast<double>(most_);
  }

 private:
  static std::uint64_t at(const std::vector<std::uint64_t>& values, std::uint32_t line) {
    return line < values.size() ? values[line] : 0;
  }
  Heat heat_;
  std::vector<std::uint64_t> lines_, ptx_;
  std::uint64_t most_ = 0;
};

/// PTX lines that stem from a line of the source, ascending.
std::vector<std::uint32_t> ptx_lines_of(const SourceExhibit& source, std::uint32_t line);

}  // namespace warpbook::lab
