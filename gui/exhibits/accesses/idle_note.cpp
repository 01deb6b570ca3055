#include "gui/exhibits/accesses/idle_note.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "gui/draw/theme.hpp"

namespace warpbook::gui {
namespace {
constexpr std::uint64_t kIdlePart = 1ull << 34;  // under which the cache keeps it
constexpr std::size_t kMostIdle = 64;            // more have no columns
constexpr std::size_t kMostIdleWires = 4096;     // of more, no thread's index is worked out

Link::Thread thread_at(const lab::AccessesExhibit& run, std::uint64_t thread) {
  const std::uint64_t each = run.block.count();
  return {static_cast<std::uint32_t>(thread / each), static_cast<std::uint32_t>(thread % each)};
}

/// The source of the report that has these accesses; null where the newest report is not theirs.
const lab::SourceExhibit* source_of(const lab::Report* report, const lab::AccessesExhibit& run,
                                    std::optional<Guard>& guard) {
  const bool theirs =
      report && std::ranges::any_of(report->exhibits, [&](const lab::Exhibit& exhibit) {
        return std::get_if<lab::AccessesExhibit>(&exhibit.value) == &run;
      });
  if (!theirs) return nullptr;
  for (const lab::Exhibit& exhibit : report->exhibits) {
    const auto* source = std::get_if<lab::SourceExhibit>(&exhibit.value);
    if (!source) continue;
    guard = guard_of(run, *source);
    if (guard) return source;
  }
  return nullptr;
}

IdleNote made_note(const Ui& ui, const lab::AccessesExhibit& run) {
  IdleNote note;
  const auto report = ui.book.pictures();
  const lab::SourceExhibit* source = source_of(report.get(), run, note.guard);
  if (!source || run.wires.size() > kMostIdleWires) return note;
  const auto line = index_line(run, *source);
  if (!line) return note;
  const auto index_of = [&](std::uint64_t thread) {
    return index_by(*line, run, thread_at(run, thread));
  };
  std::set<std::uint64_t> storing;
  for (const auto& wire : run.wires) {
    if (wire.kind == device::AccessKind::load) continue;
    const std::uint64_t thread = wire.block * run.block.count() + wire.thread;
    // The formula is that of the elements only where it gives every thread its own.
    if (storing.insert(thread).second && index_of(thread) != wire.element) return note;
  }
  std::int64_t longest = 0;
  for (const auto& array : run.arrays)
    longest = std::max(longest, static_cast<std::int64_t>(lab::count(array.tensor)));
  note.past_end = true;
  for (std::uint64_t thread = 0; thread < run.grid.count() * run.block.count(); ++thread) {
    if (storing.contains(thread)) continue;
    if (note.index.size() == kMostIdle) break;
    const std::int64_t index = index_of(thread).value_or(0);
    note.past_end = note.past_end && index >= longest;
    note.index[static_cast<std::uint32_t>(thread)] = std::to_string(index);
  }
  return note;
}
}  // namespace

const IdleNote& idle_note(const Ui& ui, const lab::AccessesExhibit& accesses) {
  return ui.cache.get<IdleNote>(&accesses, kIdlePart, [&] { return made_note(ui, accesses); });
}

void draw_idle_note(const Ui& ui, const IdleNote& note,
                    const std::map<std::uint32_t, float>& columns, float index_row, ImVec2 min,
                    ImVec2 max) {
  if (!note.guard) return;
  const Ink ink = ui.ink();
  for (const auto& [thread, middle] : columns) {
    const auto found = note.index.find(thread);
    if (found != note.index.end()) {
      ink.text_middle(middle, index_row, {Face::mono, 12.5f, ui.theme.t3}, found->second,
                      Align::centre);
    }
  }
  const Type quiet{Face::sans, 12.5f, ui.theme.t3};
  std::vector<std::pair<std::string, Type>> lines{
      {note.guard->condition, {Face::mono, 12.5f, ui.theme.t2}},
      {ui.tr(note.guard->holds ? "gui.wires.true" : "gui.wires.false"), quiet}};
  if (note.past_end) lines.emplace_back(ui.tr("gui.wires.past-end"), quiet);
  constexpr float kLine = 18, kInset = 6;
  const float room = max.x - min.x - 2 * kInset;
  const bool fits = std::ranges::all_of(
      lines, [&](const auto& line) { return ink.width(line.second, line.first) <= room; });
  if (!fits || kLine * static_cast<float>(lines.size()) > max.y - min.y) return;
  ink.outline(min, max, ui.theme.line, measure::kCellRadius);
  float y = (min.y + max.y - kLine * static_cast<float>(lines.size())) / 2 + kLine / 2;
  for (const auto& [text, type] : lines) {
    ink.text_middle((min.x + max.x) / 2, y, type, text, Align::centre);
    y += kLine;
  }
}

}  // namespace warpbook::gui
