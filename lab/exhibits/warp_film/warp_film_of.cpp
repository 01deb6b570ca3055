#include "lab/exhibits/warp_film/warp_film_of.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "lab/exhibits/warp_film/warp_film_summary.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::lab {
namespace {

/// The line of `file` that an instruction belongs to: its own, or that of the call through which it came; 0: none.
std::uint32_t own_line(const device::InstructionCounters& instruction, std::string_view file) {
  if (instruction.place.file == file) return instruction.place.line;
  for (const device::SourcePlace& outer : instruction.inlined_at) {
    if (outer.file == file) return outer.line;
  }
  return 0;
}

/// The lanes of a warp that have a thread.
std::uint32_t lanes_of_warp(const device::LaunchRecord& record, std::uint32_t warp) {
  const std::uint64_t threads = record.block.count(), first = std::uint64_t{warp} * device::kLanes;
  if (threads <= first) return 0;
  const std::uint64_t count = threads - first;
  return count >= device::kLanes ? ~0u : (1u << count) - 1;
}

/// Takes from each row the indentation that all of them have.
void unindent(std::vector<WarpFilmExhibit::Row>& rows) {
  std::size_t common = std::string::npos;
  for (const auto& row : rows) common = std::min(common, row.text.find_first_not_of(' '));
  if (common == std::string::npos) return;
  for (auto& row : rows) row.text.erase(0, common);
}

}  // namespace

WarpFilmExhibit warp_film_of(const device::LaunchRecord& record, const device::WatchedWarp& watched,
                             std::string_view file, std::string_view source, bool ptx) {
  WarpFilmExhibit film;
  film.block = watched.block;
  film.warp = watched.warp;
  film.lanes = lanes_of_warp(record, watched.warp);
  film.ptx = ptx;
  film.cut = record.issues_cut;

  const std::vector<std::string_view> lines = lines_of(source);
  std::map<std::uint32_t, std::string> texts;  // of the rows, by line
  std::vector<std::uint32_t> line_of;          // of each step
  for (const device::Issue& issue : record.issues) {
    const device::InstructionCounters& instruction = record.instructions[issue.instruction];
    std::uint32_t line = ptx ? instruction.ptx_line : own_line(instruction, file);
    // What no line of the file asked for belongs to what was going on.
    if (line == 0) line = line_of.empty() ? 1 : line_of.back();
    if (ptx)
      texts.try_emplace(line, instruction.text);
    else
      texts.try_emplace(line, line <= lines.size() ? lines[line - 1] : std::string_view());
    if (!line_of.empty() && line_of.back() == line && film.steps.back().lanes == issue.lanes) {
      ++film.steps.back().issues;
      continue;
    }
    line_of.push_back(line);
    film.steps.push_back({0, issue.lanes, 1});
  }

  std::map<std::uint32_t, std::uint32_t> row_of_line;
  for (auto& [line, text] : texts) {
    row_of_line[line] = static_cast<std::uint32_t>(film.rows.size());
    film.rows.push_back({line, std::move(text)});
  }
  for (std::size_t i = 0; i < film.steps.size(); ++i) film.steps[i].row = row_of_line[line_of[i]];
  unindent(film.rows);
  film.chosen = longest_partial(film);
  return film;
}

}  // namespace warpbook::lab
