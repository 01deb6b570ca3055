// Merges what the block runners of a launch have observed into its launch record.
#include "device/simulator/observe/merge.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>

#include "device/simulator/isa/decode.hpp"
#include "device/simulator/isa/unrolling.hpp"

namespace warpbook::device {
namespace {

/// The counters of one instruction, from the executions of its basic block and its own tallies.
Counters counters_of(const isa::Code& code, std::uint32_t index, std::uint64_t executions,
                     std::uint64_t lanes, const std::vector<LaunchObserver*>& observers) {
  const isa::CodeInstruction& info = code.instructions[index];
  Counters c;
  c.warp_instructions = executions;
  c.thread_instructions = lanes;
  if (info.source->guarded) {
    c.thread_instructions = 0;
    for (const LaunchObserver* r : observers) c.thread_instructions += r->guard_lanes[index];
  }
  if (info.counts_as == isa::CountedAs::shuffle) c.shuffles = executions;
  if (info.counts_as == isa::CountedAs::vote) c.votes = executions;
  if (info.counts_as == isa::CountedAs::barrier) c.barriers = executions;
  if (info.counts_as == isa::CountedAs::tensor) c.tensor_operations = executions;
  if (info.memo == kNone) return c;
  for (const LaunchObserver* r : observers) {
    const AccessTally& t = r->tallies[info.memo];
    c.global_requests += t.global_requests;
    c.global_sectors += t.global_sectors;
    c.global_bytes_asked += t.global_lanes * info.access_bytes;
    (info.load ? c.global_load_sectors : c.global_store_sectors) += t.global_sectors;
    c.shared_requests += t.shared_requests;
    c.shared_wavefronts += t.shared_wavefronts;
    c.shared_wavefronts_ideal += t.shared_ideal;
    c.shared_bytes += t.shared_lanes * info.access_bytes;
    c.local_requests += t.local_requests;
    c.local_bytes += t.local_lanes * info.access_bytes;
    c.constant_requests += t.constant_requests;
    c.texture_requests += t.texture_requests;
    c.atomics += t.atomics;
    c.atomic_collisions += t.collisions;
  }
  if (info.issued_with == index && !info.atomic) {
    (info.load ? c.issued_global_loads : c.issued_global_stores) = c.global_requests * info.issues;
    (info.load ? c.issued_shared_loads : c.issued_shared_stores) = c.shared_requests * info.issues;
  }
  return c;
}

/// The line of the kernel's own file that an instruction counts for. Inlined code of other files counts for the line that called it.
const SourcePlace& own_place(const InstructionCounters& i, const std::string& own_file) {
  if (i.place.file == own_file) return i.place;
  for (const SourcePlace& outer : i.inlined_at) {
    if (outer.file == own_file) return outer;
  }
  return i.place;
}

/// The hardware instructions of a plain access; none if the hardware issues it together with another one.
AccessInstructions issued_as(const isa::CodeInstruction& info, std::uint32_t index) {
  AccessInstructions one;
  if (info.memo == kNone || info.atomic || info.issued_with != index) return one;
  if (info.space == isa::StateSpace::global)
    (info.load ? one.global_loads : one.global_stores) = info.issues;
  if (info.space == isa::StateSpace::shared)
    (info.load ? one.shared_loads : one.shared_stores) = info.issues;
  return one;
}

void describe(InstructionCounters& to, const isa::Code& code, const ptx::Module& module,
              std::uint32_t index) {
  const ptx::Instruction& source = *code.instructions[index].source;
  to.text = module.text_of(source);
  to.ptx_line = source.ptx_line;
  to.place = isa::innermost_place_of(module, source);
  if (source.location == ptx::kNone) return;
  std::uint32_t at = module.locations[source.location].inlined_at;
  for (int depth = 0; at != ptx::kNone && depth < 64; ++depth) {
    const ptx::Location& l = module.locations[at];
    if (l.file != ptx::kNone && l.file < module.files.size())
      to.inlined_at.push_back({module.files[l.file], l.line, l.column});
    at = l.inlined_at;
  }
}

void merge_traces(LaunchRecord& record, const std::vector<LaunchObserver*>& observers,
                  std::size_t limit) {
  for (LaunchObserver* r : observers) record.trace_cut |= r->trace_cut;
  if (observers.size() == 1) {
    record.trace = std::move(observers[0]->trace);
    return;
  }
  // Each observer's blocks ascend, and each trace may be as long as the merged one. Therefore the next block of the merged trace is always
  // the next block of one of the observers.
  std::vector<std::size_t> next(observers.size());
  std::uint32_t request = 0;
  for (;;) {
    std::size_t best = observers.size();
    for (std::size_t w = 0; w < observers.size(); ++w) {
      if (next[w] >= observers[w]->trace.size()) continue;
      if (best == observers.size() ||
          observers[w]->trace[next[w]].block < observers[best]->trace[next[best]].block)
        best = w;
    }
    if (best == observers.size()) return;
    auto& trace = observers[best]->trace;
    const std::uint32_t block = trace[next[best]].block;
    std::uint32_t last = 0;
    for (; next[best] < trace.size() && trace[next[best]].block == block; ++next[best]) {
      if (record.trace.size() >= limit) {
        record.trace_cut = true;
        return;
      }
      Access a = trace[next[best]];
      if (a.request != last) ++request;
      last = a.request;
      a.request = request;
      record.trace.push_back(a);
    }
  }
}

/// What the watched warp issued: one runner ran its block.
void add_issues(LaunchRecord& record, const isa::Code& code,
                const std::vector<LaunchObserver*>& observers, std::size_t limit) {
  for (const LaunchObserver* r : observers) {
    record.issues_cut |= r->issues_cut;
    for (const Execution& ran : r->executions) {
      const BasicBlock& b = code.blocks[ran.block];
      for (std::uint32_t k = 0; k < b.instructions; ++k)
        record.issues.push_back({b.first_instruction + k, ran.lanes});
    }
  }
  if (record.issues.size() <= limit) return;
  record.issues.resize(limit);
  record.issues_cut = true;
}

void merge_writes(LaunchRecord& record, const std::vector<LaunchObserver*>& observers) {
  for (std::size_t k = 0; k < observers[0]->watched.size(); ++k) {
    WriteMap map;
    map.name = observers[0]->watched[k].name;
    map.writes = std::move(observers[0]->watched[k].writes);
    map.writer = std::move(observers[0]->watched[k].writer);
    for (std::size_t w = 1; w < observers.size(); ++w) {
      const WatchedWrites& more = observers[w]->watched[k];
      for (std::size_t e = 0; e < map.writes.size(); ++e) {
        map.writes[e] += more.writes[e];
        map.writer[e] = std::max(map.writer[e], more.writer[e]);
      }
    }
    record.written.push_back(std::move(map));
  }
}

}  // namespace

void merge_into(LaunchRecord& record, const isa::Code& code, const ptx::Module& module,
                std::uint32_t own_file, const MachineCode* machine,
                const std::vector<LaunchObserver*>& observers, const Observation& observe) {
  const std::string own = own_file == ptx::kNone ? std::string() : module.files[own_file];
  if (record.counted) {
    std::map<std::pair<std::string_view, std::uint32_t>, LineCounters> lines;
    record.instructions.resize(code.instructions.size());
    const std::vector<std::uint32_t> copies =
        machine ? copies_of(code, module, *machine)
                : std::vector<std::uint32_t>(code.blocks.size(), 1);
    for (const BasicBlock& b : code.blocks) {
      const auto index = static_cast<std::size_t>(&b - code.blocks.data());
      std::uint64_t executions = 0, lanes = 0, branches = 0, divergent = 0;
      for (const LaunchObserver* r : observers) {
        executions += r->blocks[index].executions;
        lanes += r->blocks[index].lanes;
        branches += r->blocks[index].branches;
        divergent += r->blocks[index].divergent;
      }
      for (std::uint32_t k = 0; k < b.instructions; ++k) {
        const std::uint32_t at = b.first_instruction + k;
        InstructionCounters& i = record.instructions[at];
        describe(i, code, module, at);
        i.counters = counters_of(code, at, executions, lanes, observers);
        if (b.exit_counts && k + 1 == b.instructions) {
          i.counters.branches = branches;
          i.counters.divergent_branches = divergent;
        }
        const MachineLine* made = machine ? machine->at(i.ptx_line) : nullptr;
        if (machine && b.exit == Exit::branch && b.guard != kNone && k + 1 == b.instructions)
          i.machine_branches = made ? made->branches : 0;
        record.total += i.counters;
        const SourcePlace& place = own_place(i, own);
        LineCounters& line = lines[{place.file, place.line}];
        line.threads = std::max(line.threads, i.counters.thread_instructions);
        line.counters += i.counters;
        AccessInstructions predicted = issued_as(code.instructions[at], at);
        predicted *= copies[index];
        line.predicted += predicted;
        if (machine && !line.machine) line.machine.emplace();
        if (made) *line.machine += made->accesses;
      }
    }
    for (auto& [key, line] : lines) {
      line.file = key.first;
      line.line = key.second;
      record.lines.push_back(std::move(line));
    }
    if (record.total.warp_instructions != 0) {
      record.mean_active_lanes = static_cast<double>(record.total.thread_instructions) /
                                 static_cast<double>(record.total.warp_instructions);
    }
  }
  Sharing threads, fetches;
  Extremes barriers = observers.front()->barriers;
  for (const LaunchObserver* r : observers) {
    threads += r->threads;
    fetches += r->fetches;
    record.longest_warp = std::max(record.longest_warp, r->longest_warp);
    record.longest_lane = std::max(record.longest_lane, r->longest_lane);
    record.blocks_writing += r->blocks_writing;
    record.most_texture_fetches = std::max(record.most_texture_fetches, r->most_texture_fetches);
    barriers.widen(r->barriers);
  }
  if (barriers.least <= barriers.most) record.warp_barriers = barriers;
  record.thread_evenness = threads.evenness();
  record.fetch_evenness = fetches.evenness();
  merge_traces(record, observers, observe.trace_accesses);
  if (record.counted) add_issues(record, code, observers, observe.watched_warp.issues);
  merge_writes(record, observers);
  std::vector<std::pair<std::uint64_t, std::string>> output;
  for (LaunchObserver* r : observers) {
    for (auto& o : r->output) output.push_back(std::move(o));
  }
  std::stable_sort(output.begin(), output.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [block, text] : output) record.output += text;
}

void add_times(LaunchRecord& record, const std::string& own_file,
               std::map<std::uint32_t, std::vector<EstimateBound>> by_ptx_line) {
  std::map<std::pair<std::string_view, std::uint32_t>, LineCounters*> lines;
  for (LineCounters& line : record.lines) lines[{line.file, line.line}] = &line;
  for (InstructionCounters& i : record.instructions) {
    // Of instructions that share a line of PTX, the first gets its time.
    const auto times = by_ptx_line.extract(i.ptx_line);
    if (!times) continue;
    const SourcePlace& place = own_place(i, own_file);
    std::vector<EstimateBound>& parts = lines.at({place.file, place.line})->estimated;
    for (const EstimateBound& part : times.mapped()) {
      i.estimated += part.seconds;
      const auto same = std::ranges::find(parts, part.name, &EstimateBound::name);
      if (same == parts.end())
        parts.push_back(part);
      else
        same->seconds += part.seconds;
    }
  }
  for (LineCounters& line : record.lines)
    std::ranges::stable_sort(line.estimated, std::greater(), &EstimateBound::seconds);
}

}  // namespace warpbook::device
