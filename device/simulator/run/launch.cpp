// One launch: it is planned, its block runners run on host threads, and its record is made from what they observed. Grids
// that its kernels launch follow in the same way, one after the other.
#include <algorithm>
#include <numeric>
#include <random>
#include <thread>
#include <variant>

#include "device/bad_access.hpp"
#include "device/occupancy.hpp"
#include "device/simulator/estimate/estimate.hpp"
#include "device/simulator/observe/child_records.hpp"
#include "device/simulator/observe/merge.hpp"
#include "device/simulator/run/block_runner.hpp"
#include "device/simulator/run/device_runtime.hpp"

namespace warpbook::device {
namespace {

/// Local memory per thread, where recursion leaves its size open.
constexpr std::uint32_t kStackBytes = 64u << 10;
constexpr std::uint64_t kWorkspaceBytes = 64;
/// Bytes of shared memory that libraries may count on.
constexpr std::uint32_t kReservedShared = 1024;
/// Fewer blocks per host thread do not pay for the thread.
constexpr std::uint64_t kBlocksPerRunner = 4;
/// Each runner claims at least so many times, so that at the end no runner waits long for the last claim of another.
constexpr std::uint64_t kClaims = 32;
/// Larger claims gain nothing (bench_simulator, two runners).
constexpr std::uint64_t kMostPerClaim = 16;

std::uint32_t round_up(std::uint32_t value, std::uint32_t to) { return (value + to - 1) / to * to; }

LaunchFacts facts_of(const RunRequest& request, const LoadedModule& loaded, const isa::Code& code) {
  LaunchFacts f;
  const Properties& gpu = loaded.gpu();
  f.grid = request.grid;
  f.block = request.block;
  f.cluster = request.cluster;
  f.block_threads = static_cast<std::uint32_t>(request.block.count());
  f.warps = (f.block_threads + kLanes - 1) / kLanes;
  f.static_shared = code.static_shared;
  f.dynamic_shared = request.dynamic_shared;
  const std::uint32_t dynamic_end = request.dynamic_shared == 0
                                        ? code.static_shared
                                        : code.dynamic_shared_offset + request.dynamic_shared;
  f.shared_bytes = dynamic_end;
  if (code.uses_reserved_shared) {
    // It is behind the kernel's own shared memory, and only in kernels that ask for it, so that in all others an access
    // past the end of their own is still out of bounds.
    f.shared_bytes = round_up(dynamic_end, 128);
    f.reserved_shared = kReservedShared;
  }
  f.multiprocessors = std::max(1u, gpu.multiprocessors);
  f.explicit_cluster = request.cluster.count() > 1 ||
                       loaded.parsed().functions[code.functions[0].source].required_cluster[0] != 0;
  f.max_warps = std::max(1u, gpu.max_threads_per_multiprocessor / kLanes);
  return f;
}

void fill_thread_ids(LaunchState& state) {
  const LaunchFacts& f = state.facts;
  for (auto& row : state.tid) row.resize(std::size_t{f.warps} * kLanes);
  for (std::uint32_t t = 0; t < f.warps * kLanes; ++t) {
    const Dim3 id = unflatten(t, f.block);
    state.tid[0][t] = id.x;
    state.tid[1][t] = id.y;
    state.tid[2][t] = id.z;
  }
}

void watch(LaunchObserver& observer, const Observation& observe, const AllocationTable& table) {
  for (const std::string& name : observe.write_maps) {
    for (const Allocation& a : table.all()) {
      if (a.freed || a.name != name) continue;
      WatchedWrites w;
      w.name = name;
      w.begin = a.address;
      w.end = a.end();
      w.element = static_cast<std::uint32_t>(size_of(a.type));
      w.writes.assign(a.bytes / w.element, 0);
      w.writer.assign(a.bytes / w.element, -1);
      observer.watched.push_back(std::move(w));
      break;
    }
  }
}

std::uint32_t runners_for(const RunRequest& request, const isa::Code& code, std::uint64_t blocks) {
  if (code.order_matters || request.seed != 0 || request.observe.racecheck) return 1;
  static const std::uint32_t processors =
      std::max(1u, std::thread::hardware_concurrency());  // reads files each time
  const std::uint32_t asked = request.host_threads != 0 ? request.host_threads : processors;
  const std::uint64_t worth = request.host_threads != 0 ? blocks : blocks / kBlocksPerRunner;
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(worth, 1, asked));
}

/// Finds the memory that kernels allocated in this launch and did not free, in the order of addresses.
void find_leaks(LaunchObserver& observer, const std::shared_ptr<const AllocationTable>& table) {
  std::vector<RawFinding> leaks;
  for (auto& [address, leak] : observer.mallocs) leaks.push_back(std::move(leak));
  std::sort(leaks.begin(), leaks.end(),
            [](const auto& a, const auto& b) { return a.address < b.address; });
  for (RawFinding& leak : leaks) {
    leak.table = table;
    observer.find(std::move(leak));
  }
}

/// Without memcheck the first bad access is the launch's error, as on a GPU, and the others are not reported.
void keep_one_bad_access(LaunchRecord& record) {
  const auto bad = [](const Finding& f) { return is_bad_access(f.error.code); };
  const auto first = std::find_if(record.findings.begin(), record.findings.end(), bad);
  if (first == record.findings.end()) return;
  if (!record.error) record.error = first->error;
  record.findings_total -= std::erase_if(record.findings, bad);
}

void add_findings(LaunchRecord& record, const std::vector<LaunchObserver*>& observers,
                  const isa::Code& code, const ptx::Module& module, const LaunchFacts& facts) {
  std::vector<const RawFinding*> raw;
  for (const LaunchObserver* r : observers) {
    for (const RawFinding& f : r->findings) raw.push_back(&f);
  }
  std::stable_sort(raw.begin(), raw.end(),
                   [](const auto* a, const auto* b) { return a->block < b->block; });
  if (raw.size() > LaunchObserver::kFindings) raw.resize(LaunchObserver::kFindings);
  for (const RawFinding* f : raw) record.findings.push_back(in_words(*f, code, module, facts));
  for (const LaunchObserver* r : observers) {
    for (const RawFinding& f : r->notes) record.notes.push_back(in_words(f, code, module, facts));
  }
}

Occupancy occupancy_for(const RunRequest& request, const LoadedModule& loaded,
                        const isa::Code& code) {
  return occupancy_of(loaded.gpu(), {.threads = static_cast<std::uint32_t>(request.block.count()),
                                     .registers = request.registers,
                                     .shared = code.static_shared + request.dynamic_shared});
}

/// An estimate may ask for a part of the units only. A cooperative launch must run whole, since its blocks meet.
std::uint64_t units_to_run(const RunRequest& request, std::uint64_t units,
                           std::uint32_t unit_blocks) {
  const EstimateRequest& wanted = request.estimate;
  if (!wanted.wanted || wanted.blocks == 0 || request.cooperative) return units;
  return std::clamp<std::uint64_t>((wanted.blocks + unit_blocks - 1) / unit_blocks, 1, units);
}

/// The machine code that tells how often machine instructions ran. With a seed there is none: basic blocks then end after
/// every access, so they are too short to tell how often ptxas copied them.
const MachineCode* machine_of(const RunRequest& request) {
  return request.seed == 0 ? request.machine_code.get() : nullptr;
}

/// Gives each runner a sampler of memory traffic, from which the estimate is made.
void sample_traffic(const std::vector<std::unique_ptr<BlockRunner>>& runners,
                    const LaunchState& state) {
  const Occupancy occupancy = occupancy_for(state.request, state.module, state.code);
  const TrafficPlan plan =
      plan_traffic(state.request.grid.count(), state.blocks, state.module.gpu().multiprocessors,
                   occupancy.blocks, state.facts.warps);
  for (const auto& runner : runners)
    runner->observer.traffic =
        std::make_shared<TrafficSampler>(plan, state.code, machine_of(state.request));
}

EstimatedLaunch estimate_of(const LaunchState& state, const LaunchRecord& record,
                            const std::vector<LaunchObserver*>& observers) {
  std::vector<TrafficSampler*> samplers;
  Balance balance;
  for (const LaunchObserver* r : observers) {
    samplers.push_back(r->traffic.get());
    balance.instructions += r->balance.instructions;
    balance.longest += r->balance.longest;
    balance.heaviest = std::max(balance.heaviest, r->balance.heaviest);
  }
  const Traffic traffic = merge_traffic(samplers);
  const RunRequest& request = state.request;
  return estimate(GpuModel(state.module.gpu()),
                  {.record = record,
                   .code = state.code,
                   .module = state.module.parsed(),
                   .machine = machine_of(request),
                   .traffic = traffic,
                   .balance = balance,
                   .blocks = request.grid.count(),
                   .blocks_run = state.blocks,
                   .occupancy = occupancy_for(request, state.module, state.code)});
}

/// Fills in everything about the launch that follows from the request and the code. budget_memory where not even one unit
/// fits.
Expected<void> plan(LaunchState& state) {
  const RunRequest& request = state.request;
  const isa::Code& code = state.code;
  state.facts = facts_of(request, state.module, code);
  state.unit_blocks = static_cast<std::uint32_t>(request.cluster.count());
  state.units = units_to_run(request, request.grid.count() / state.unit_blocks, state.unit_blocks);
  state.blocks = state.units * state.unit_blocks;
  state.runners = runners_for(request, code, state.units);
  state.units_per_claim =
      std::clamp<std::uint64_t>(state.units / (kClaims * state.runners), 1, kMostPerClaim);
  const std::uint32_t stack = code.recursive ? code.local_bytes + kStackBytes : code.local_bytes;
  state.frames_bytes = round_up(stack, 16);
  state.local_stride = state.frames_bytes + (code.uses_stack ? isa::kAllocaBytes : 0);
  const std::uint64_t unit_bytes =
      std::uint64_t{state.local_stride} * kLanes * state.facts.warps * state.unit_blocks;
  const std::uint64_t limit = request.budget.memory_bytes;
  if (limit != 0 && unit_bytes > limit)
    return failure(ErrorCode::budget_memory, {{"bytes", std::to_string(limit)}});
  fill_thread_ids(state);
  if (request.seed == 0) return {};
  state.order.resize(state.units);
  std::iota(state.order.begin(), state.order.end(), 0);
  std::mt19937_64 random(request.seed);
  for (std::size_t i = state.order.size(); i > 1; --i)
    std::swap(state.order[i - 1], state.order[random() % i]);
  return {};
}

/// Allocates what the driver gives a cooperative launch: the word at which its blocks meet. 0 where it needs none.
Expected<Pointer> allocate_workspace(const LaunchState& state) {
  if (!state.code.uses_workspace || !state.request.cooperative) return Pointer{0};
  GlobalMemory& memory = state.module.memory();
  auto allocated = memory.allocate("the grid's barrier", ElementType::u32, kWorkspaceBytes);
  if (allocated) (void)memory.fill(*allocated, std::byte{0}, kWorkspaceBytes);
  return allocated;
}

std::vector<std::unique_ptr<BlockRunner>> make_runners(LaunchState& state) {
  const Observation& observe = state.request.observe;
  std::vector<std::unique_ptr<BlockRunner>> runners;
  for (std::uint32_t k = 0; k < state.runners; ++k) {
    auto runner = std::make_unique<BlockRunner>(state);
    LaunchObserver& observer = runner->observer;
    observer.trace_limit = observe.trace_accesses;
    observer.tracing = observe.trace_accesses != 0;
    observer.trace.reserve(std::min<std::size_t>(observe.trace_accesses, 1024));
    watch(observer, observe, *observer.table);
    runner->context.observed = observer.tracing || !observer.watched.empty();
    runners.push_back(std::move(runner));
  }
  if (state.request.estimate.wanted) sample_traffic(runners, state);
  return runners;
}

/// The first runner runs on the calling thread, each other one on a thread of its own.
void run_all(const std::vector<std::unique_ptr<BlockRunner>>& runners) {
  std::vector<std::jthread> threads;
  for (std::size_t k = 1; k < runners.size(); ++k)
    threads.emplace_back([&, k] { runners[k]->run(); });
  runners[0]->run();
}

LaunchRecord record_of(const LaunchState& state,
                       const std::vector<std::unique_ptr<BlockRunner>>& runners) {
  const RunRequest& request = state.request;
  const ptx::Module& module = state.module.parsed();
  std::vector<LaunchObserver*> observers;
  for (const auto& runner : runners) observers.push_back(&runner->observer);

  LaunchRecord record;
  record.kernel = plain_name(request.kernel);
  record.grid = request.grid;
  record.block = request.block;
  record.cluster = request.cluster;
  record.static_shared = state.code.static_shared;
  record.dynamic_shared = request.dynamic_shared;
  record.seed = request.seed;
  record.host_threads = state.runners;
  record.counted = request.observe.counters;
  const std::uint32_t own_file = state.module.own_file(state.code.functions[0].source);
  merge_into(record, state.code, module, own_file, machine_of(request), observers, request.observe);
  const bool launches = !state.queue.work.empty() || !state.queue.tail.empty();
  if (request.estimate.wanted && record.counted && !state.stop.error() && !launches) {
    EstimatedLaunch estimated = estimate_of(state, record, observers);
    add_times(record, own_file == ptx::kNone ? std::string() : module.files[own_file],
              std::move(estimated.by_ptx_line));
    record.estimate = std::move(estimated.whole);
  }

  for (LaunchObserver* o : observers) {
    // A child may free what its parent allocated, and use it until then.
    if (request.observe.leaks && !launches && state.depth == 0)
      find_leaks(*o, state.module.memory().table());
    record.findings_total += o->findings_total;
  }
  add_findings(record, observers, state.code, module, state.facts);
  for (const Allocation& a : observers[0]->table->all()) {
    if (!a.freed) record.allocations.push_back({a.name, a.address, a.bytes, a.type});
  }
  record.error = state.stop.error();
  if (!request.observe.memcheck) keep_one_bad_access(record);
  if (!record.error && !record.findings.empty()) record.error = record.findings.front().error;
  return record;
}

/// A grid that ran: what it observed, and the work that it left for after it.
struct GridRun {
  LaunchRecord record;
  std::shared_ptr<const isa::Code> code;
  DeviceQueue queue;
  bool stopped = false;  ///< by an error after which nothing else of the launch may run
};

/// The memory that a grid's threads took for the arguments of launches.
void release_buffers(const DeviceQueue& queue, GlobalMemory& memory) {
  for (const auto& [address, buffer] : queue.buffers) (void)memory.release(address, "launch");
  for (const auto& [bytes, address] : queue.spares) (void)memory.release(address, "launch");
}

Expected<GridRun> run_grid(const RunRequest& request, LaunchTree& tree, std::uint32_t depth) {
  auto decoded = request.module->code(
      request.kernel, {.split = request.seed != 0, .perturb = request.perturb_approximations});
  if (!decoded) return tl::unexpected(decoded.error());
  const isa::Code& code = **decoded;
  if (request.observe.racecheck && code.instructions.size() > kMostInstructions) {
    return failure(ErrorCode::not_supported,
                   {{"what", "racecheck of a kernel with more than 1,048,576 instructions"},
                    {"device", "the simulator"}});
  }
  LaunchState state{request, *request.module, code, tree, depth};
  if (auto ok = plan(state); !ok) return tl::unexpected(ok.error());
  const auto workspace = allocate_workspace(state);
  if (!workspace) return tl::unexpected(workspace.error());
  state.facts.workspace = *workspace;
  state.facts.grid_id = ++tree.grids;

  GridRun result;
  {
    const auto runners = make_runners(state);
    run_all(runners);
    for (const auto& runner : runners) {
      const std::vector<Pointer>& written = runner->observer.written;
      tree.written.insert(written.begin(), written.end());
    }
    result.record = record_of(state, runners);
  }
  if (request.budget.drop_output) {
    std::string& output = result.record.output;
    output.resize(std::min<std::uint64_t>(output.size(), state.output_room()));
    state.output_bytes += output.size();
  }
  GlobalMemory& memory = request.module->memory();
  (void)memory.release(*workspace, "launch");
  release_buffers(state.queue, memory);
  tree.executed = state.executed;
  tree.output_bytes = state.output_bytes;
  result.code = *decoded;
  result.queue = std::move(state.queue);
  // Without memcheck a bad access ends a launch, as on a GPU.
  result.stopped =
      state.stop.error().has_value() || (!request.observe.memcheck && result.record.error);
  return result;
}

/// Runs what the grids of a launch have queued.
class ChildRunner {
 public:
  ChildRunner(const RunRequest& host, LaunchTree& tree, LaunchRecord& record, const isa::Code& code)
      : host_(host), tree_(tree), record_(record), records_(record, code) {}

  /// The work of a grid whose own blocks are done; `depth` launches lie between it and the host's. False where an error
  /// ended the launch.
  bool run(const DeviceQueue& queue, std::uint32_t depth) {
    for (const std::vector<ChildWork>* list : {&queue.work, &queue.tail}) {
      for (const ChildWork& work : *list) {
        const auto* grid = std::get_if<ChildGrid>(&work.what);
        if (grid ? !launch(*grid, depth + 1) : !move(work)) return false;
      }
    }
    return true;
  }

 private:
  bool launch(const ChildGrid& child, std::uint32_t depth) {
    --tree_.pending;
    auto ran = run_grid(request_of(child), tree_, depth);
    if (!ran) return stop(ran.error());
    const std::optional<Error> error = ran->record.error;
    records_.add(std::move(ran->record), *ran->code);
    return ran->stopped ? stop(*error) : run(ran->queue, depth);
  }

  /// As the host's launch, but for what a child grid has of its own. Pictures are made from traces, and they are of one grid.
  [[nodiscard]] RunRequest request_of(const ChildGrid& child) const {
    RunRequest request = host_;
    request.kernel = child.kernel->mangled;
    request.grid = child.grid;
    request.block = child.block;
    request.cluster = child.cluster;
    request.dynamic_shared = child.dynamic_shared;
    request.resident_blocks = child.resident_blocks;
    request.parameters = child.parameters;
    request.cooperative = false;
    request.observe.trace_accesses = 0;
    request.observe.watched_warp = {};
    request.estimate = {};
    request.progress = nullptr;
    request.machine_code = nullptr;
    request.registers = child.kernel->registers;
    return request;
  }

  bool move(const ChildWork& work) {
    const auto* copy = std::get_if<ChildCopy>(&work.what);
    auto moved = copy ? move(*copy) : fill(std::get<ChildFill>(work.what));
    if (moved) return true;
    moved.error().place = work.place;
    return stop(moved.error());
  }

  [[nodiscard]] Expected<void> move(const ChildCopy& c) const {
    for (std::uint64_t row = 0; row < c.height; ++row) {
      auto copied = host_.module->memory().copy(
          c.to + row * c.to_pitch, c.from + row * c.from_pitch, c.width, "cudaMemcpyAsync");
      if (!copied) return copied;
    }
    return {};
  }

  [[nodiscard]] Expected<void> fill(const ChildFill& c) const {
    for (std::uint64_t row = 0; row < c.height; ++row) {
      auto filled =
          host_.module->memory().fill(c.to + row * c.pitch, c.value, c.width, "cudaMemsetAsync");
      if (!filled) return filled;
    }
    return {};
  }

  /// What ends the launch is its error, whatever was found before.
  bool stop(Error error) {
    record_.error = std::move(error);
    return false;
  }

  const RunRequest& host_;
  LaunchTree& tree_;
  LaunchRecord& record_;
  ChildRecords records_;
};

}  // namespace

Expected<LaunchRecord> run(const RunRequest& request) {
  LaunchTree tree;
  auto ran = run_grid(request, tree, 0);
  if (!ran) return tl::unexpected(ran.error());
  LaunchRecord& record = ran->record;
  if (!ran->stopped) ChildRunner(request, tree, record, *ran->code).run(ran->queue, 0);
  for (const auto& [text, address] : tree.texts)
    (void)request.module->memory().release(address, "launch");
  request.module->memory().kernel_wrote(tree.written);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - tree.begin;
  record.seconds = elapsed.count();
  record.time = {EvidenceKind::measured, {}, ""};
  return std::move(record);
}

}  // namespace warpbook::device
