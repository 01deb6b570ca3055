#include "device/simulator/observe/child_records.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "device/simulator/state/launch_observer.hpp"

namespace warpbook::device {
namespace {

/// Appends up to `most` elements in all.
template <class T>
void append(std::vector<T>& to, std::vector<T>&& from, std::size_t most) {
  const std::size_t room = most - std::min(most, to.size());
  const auto end = from.begin() + static_cast<std::ptrdiff_t>(std::min(room, from.size()));
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(end));
}

}  // namespace

ChildRecords::ChildRecords(LaunchRecord& record, const isa::Code& code) : record_(record) {
  places_of(code);
}

const ChildRecords::Places& ChildRecords::places_of(const isa::Code& code) {
  const auto [entry, added] = by_code_.try_emplace(&code);
  if (added) {
    for (const isa::CodeInstruction& i : code.instructions) {
      const auto next = static_cast<std::uint32_t>(by_source_.size());
      entry->second.push_back(by_source_.try_emplace(i.source, next).first->second);
    }
  }
  return entry->second;
}

void ChildRecords::add(LaunchRecord&& child, const isa::Code& code) {
  const bool known_code = by_code_.contains(&code);
  const Places& places = places_of(code);
  ++record_.children;
  record_.total += child.total;
  record_.longest_warp = std::max(record_.longest_warp, child.longest_warp);
  record_.longest_lane = std::max(record_.longest_lane, child.longest_lane);
  record_.blocks_writing += child.blocks_writing;
  if (record_.total.warp_instructions != 0) {
    record_.mean_active_lanes = static_cast<double>(record_.total.thread_instructions) /
                                static_cast<double>(record_.total.warp_instructions);
  }
  record_.output += child.output;
  if (!record_.error) record_.error = child.error;
  add_instructions(std::move(child.instructions), places);
  add_lines(std::move(child.lines), known_code);
  add_writes(child.written);
  add_findings(std::move(child), places);
}

void ChildRecords::add_instructions(std::vector<InstructionCounters>&& child,
                                    const Places& places) {
  if (child.empty()) return;  // nothing was counted
  if (record_.instructions.size() < by_source_.size())
    record_.instructions.resize(by_source_.size());
  for (std::size_t k = 0; k < child.size(); ++k) {
    InstructionCounters& known = record_.instructions[places[k]];
    child[k].counters += known.counters;
    if (known.machine_branches) child[k].machine_branches = known.machine_branches;
    known = std::move(child[k]);
  }
}

/// `known_code`: the record has had a grid of this code, so what the lines became in machine code is in it already.
void ChildRecords::add_lines(std::vector<LineCounters>&& child, bool known_code) {
  const auto place = [](const LineCounters& l) { return std::tie(l.file, l.line); };
  for (LineCounters& line : child) {
    const auto at = std::ranges::lower_bound(record_.lines, place(line), {}, place);
    if (at == record_.lines.end() || place(*at) != place(line)) {
      record_.lines.insert(at, std::move(line));
      continue;
    }
    at->threads += line.threads;
    at->counters += line.counters;
    if (!known_code) at->predicted += line.predicted;
  }
}

void ChildRecords::add_findings(LaunchRecord&& child, const Places& places) {
  const auto move_party = [&](Party& party) {
    if (party.instruction < places.size()) party.instruction = places[party.instruction];
  };
  for (std::vector<Finding>* list : {&child.findings, &child.notes}) {
    for (Finding& f : *list) {
      move_party(f.by);
      if (f.other) move_party(*f.other);
    }
  }
  record_.findings_total += child.findings_total;
  append(record_.findings, std::move(child.findings), LaunchObserver::kFindings);
  append(record_.notes, std::move(child.notes), LaunchObserver::kNotes);
}

void ChildRecords::add_writes(const std::vector<WriteMap>& child) {
  for (std::size_t k = 0; k < std::min(child.size(), record_.written.size()); ++k) {
    for (std::size_t e = 0; e < child[k].writes.size(); ++e) {
      if (child[k].writes[e] == 0) continue;
      record_.written[k].writes[e] += child[k].writes[e];
      record_.written[k].writer[e] = child[k].writer[e];
    }
  }
}

}  // namespace warpbook::device
