// The other side of a program's runtime library: it runs the kernels on a simulated GPU, in a process that the program cannot harm,
// and keeps what they did. A thread answers each channel, so that a host thread that waits holds no other one up.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "device/runtime/call_log.hpp"
#include "device/runtime/device_clock.hpp"
#include "device/runtime/late_copies.hpp"
#include "device/runtime/messages.hpp"
#include "device/runtime/stream_order.hpp"
#include "device/simulator/simulated_device.hpp"
#include "device/worker/channel.hpp"

namespace warpbook::device::runtime {

struct LaunchNote;

/// What becomes of all that the host copies to a device, when it has arrived.
enum class CopiesIn : std::uint8_t {
  kept,
  changed,
  shuffled,  ///< words of eight bytes change places
  cleared    ///< every byte is 0
};

struct ServiceSettings {
  Properties gpu;
  std::uint32_t devices = 1;
  Checks checks;
  std::uint64_t seed = 0;
  double kernel_seconds = 0;  ///< after which a kernel is stopped; 0: never
  // For checks of programs: the number of the allocation, of device or managed memory, that fails with cudaErrorMemoryAllocation, of
  // the launch that fails with cudaErrorLaunchOutOfResources, and of the copy, whose bytes the host gives or gets, that fails with
  // cudaErrorUnknown (0: none); and whether all launches succeed without anything being run, or those of one kernel (empty: none).
  std::uint64_t failing_allocation = 0, failing_launch = 0, failing_copy = 0;
  bool leave_kernels_out = false;
  std::string kernel_left_out;
  /// All that a launch has stored, as far as it is traced, is changed when it has ended, so that what does not change comes from elsewhere.
  bool spoil_stores = false;
  CopiesIn copies_in = CopiesIn::kept;
  /// What is copied to pinned memory is seen by the host, and by other streams, only when it is certain to be there: once they have
  /// waited for the copy.
  bool late_copies = false;
  /// The host waits for each piece of work, as with CUDA_LAUNCH_BLOCKING, and for copies, too.
  bool one_by_one = false;
  /// Sees each launch as soon as it has ended, one after another and before what follows it in its stream: its record, with a trace of so
  /// many accesses, and the memory as the kernel leaves it.
  std::function<void(const LaunchNote&, const LaunchRecord&, const GlobalMemory&)> on_launch;
  std::uint32_t traced_accesses = 0;
  /// Sees where each copy from the host has brought its bytes, in the same way.
  std::function<void(const std::vector<Extent>&, const GlobalMemory&)> on_copy_in;
  /// What findings call the memory that a call allocated: "x", "memory of line 12".
  std::function<std::string(const CallRecord&, std::uint64_t base)> name_of_memory;
};

struct AllocationRecord {
  std::uint64_t address = 0, bytes = 0;
  MemoryKind kind = MemoryKind::device;
  std::uint64_t call = 0;                 ///< that allocated it
  std::optional<std::uint64_t> freed_by;  ///< the call
  std::string name;
  std::uint32_t device = 0;
};

/// A launch, without what a single one is too much for thousands of them: its counters and allocations.
struct LaunchNote {
  std::uint64_t call = 0;
  std::string kernel;
  Dim3 grid, block;
  std::uint32_t stream = 0;
  std::uint64_t thread_instructions = 0;
  std::optional<Estimate> estimate;
  std::vector<Finding> findings;
  std::uint64_t findings_total = 0;
  std::optional<Error>
      error;  ///< why it was refused, or what stopped it; where findings are errors, the first
  std::int32_t cuda_error = 0;  ///< that the program is given for it
  std::uint32_t device = 0;     ///< that it was launched on
};

/// Work of a device on the estimated clock.
struct OperationNote {
  std::uint64_t call = 0;
  Engine engine = Engine::kernel;
  std::uint32_t stream = 0;
  Interval asked{};  ///< when the host asked for it
  Interval time{};
  std::uint64_t bytes = 0;              ///< of a copy
  std::optional<std::size_t> launch{};  ///< of a kernel: its place in ProgramRecord::launches
  bool pageable = false;                ///< of a copy: its side on the host is not pinned
  StreamOrder::Past past{};             ///< what is over for certain when it begins
  /// What it uses of the devices' region, in which pinned memory lies, too. Of kernels it is known, where races are looked for, once
  /// the program has a stream of its own, and then up to a bound.
  Footprint footprint{};
};

/// The host waited, for a stream or for all.
struct WaitNote {
  std::uint64_t call = 0;
  std::size_t operations = 0;  ///< that it had asked for before
  std::optional<std::uint32_t> stream;
  Interval time;
};

/// A copy to the host of memory that nothing had written.
struct UnwrittenCopy {
  std::uint64_t call = 0, address = 0, bytes = 0;
};

struct ProgramRecord {
  std::vector<AllocationRecord> allocations;
  std::vector<LaunchNote> launches;
  std::vector<OperationNote> operations;
  std::vector<WaitNote> waits;
  std::vector<UnwrittenCopy> unwritten;
  std::vector<Error> refused;  ///< code that could not be loaded
  /// The first launch of each kernel, whole.
  std::map<std::string, std::shared_ptr<const LaunchRecord>> samples;
  Duration device_time;       ///< the estimated clock at the end
  std::string unseen_output;  ///< printed by kernels after the program's last synchronisation
  bool connected = false;     ///< the program called the runtime at all
};

class Service {
 public:
  /// Error: out_of_memory, where the address space or the call log cannot be had.
  static Expected<std::unique_ptr<Service>> make(ServiceSettings settings);
  ~Service();
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  [[nodiscard]] const CallLogMemory& calls() const { return calls_; }
  /// Answers a channel until its other end closes.
  void serve(Channel channel);
  /// Ends running kernels, as if their time were up.
  void stop() { stop_.request_stop(); }
  /// Once the program has ended: waits for its work, and gives what is known.
  ProgramRecord end();

 private:
  struct EventNote {
    std::uint64_t recorded = 0, done = 0;
    double seconds = 0;
  };

  /// A channel and the thread that answers it.
  struct Conversation {
    Channel channel;
    std::thread thread;
  };

  Service(ServiceSettings settings, CallLogMemory calls);

  void talk(Channel& channel);
  /// Ends all conversations once what was asked is answered, also where a process that the program left behind holds their
  /// other ends open.
  void hang_up();
  std::string answer(const Request& request, UniqueFd attached);

  Welcome on(const Hello& request);
  Answer on(const AddChannel& request, UniqueFd socket);
  Loaded on(const Load& request);
  MemoryPlace on(const FindVariable& request);
  MemoryPlace on(const Allocate& request);
  Answer on(const Release& request);
  Answer on(const CopyIn& request);
  CopiedOut on(const CopyOut& request);
  Answer on(const Copy& request);
  Answer on(const Fill& request);
  Answer on(const LaunchKernel& request);
  Answer on(const Synchronise& request);
  Answer on(const QueryStream& request);
  NewStream on(const CreateStream& request);
  Answer on(const DestroyStream& request);
  Answer on(const RecordEvent& request);
  Answer on(const WaitEvent& request);
  EventState on(const AskEvent& request);
  Answer on(const QueueHostFunction& request);
  Counted on(const CountMemory& request);
  Fits on(const AskOccupancy& request);
  NewArray on(const CreateArray& request);
  NewObject on(const ViewLevel& request);
  NewObject on(const CreateTexture& request);
  NewObject on(const CreateSurface& request);
  Answer on(const DestroyObject& request);

  /// What every call answers once a kernel has failed; 0 before.
  std::int32_t sticky() const;
  /// The answer of a call that waited: what failed before, and what kernels printed.
  Answer waited();
  /// The host makes a call, on the estimated clock. Under the mutex.
  Interval host_calls();
  /// Waits for a stream, on both clocks.
  void wait_for(std::uint32_t stream, std::uint64_t call);
  /// Calls `then` when all is done that is in the stream now.
  void after(std::uint32_t stream, std::function<void()> then);
  /// Notes the copy that was just queued in the stream, and waits for it where the order says so. `copy` has what is known of it
  /// so far: its engine, its bytes and what it uses. `old`: of one that arrives late, what its target held before, known once all
  /// before it in the stream is done.
  Answer copied(const Order& order, OperationNote copy, const Duration& duration,
                std::shared_ptr<const std::vector<HeldRow>> old = {});
  /// kInvalidValue where the rows do not lie in one allocation.
  std::int32_t check_rows(std::uint64_t address, const Shape& shape, std::uint64_t pitch,
                          std::uint64_t slice) const;
  /// Whether nothing has written any byte of these rows.
  bool is_unwritten(std::uint64_t from, const Shape& shape) const;
  Expected<std::shared_ptr<const Module>> load(const std::vector<std::string>& images);
  /// Whether it is known of launches what they use: it costs time, and one stream alone has no races.
  bool traces_for_races() const;
  /// `host`: what the host had waited for when it asked.
  void finish_launch(LaunchNote note, const LaunchTicket& ticket, const StreamOrder::Past& host);
  StreamOrder::Past host_past() const;
  /// Before an operation of the stream, late copies arrive that it comes after.
  void let_copies_arrive(std::uint32_t stream);
  /// Counts one more, and whether it is the one that is to fail.
  bool is_nth(std::uint64_t& counter, std::uint64_t wanted);
  std::shared_ptr<const Module> module_of(std::uint32_t number) const;
  std::string name_of_memory(std::uint64_t call) const;
  void allocated(AllocationRecord allocation);
  void freed(std::uint64_t address, std::uint64_t call);

  const ServiceSettings settings_;
  CallLogMemory calls_;
  SimulatedDevice device_;
  const CopyModel copies_;
  std::stop_source stop_;
  Channel callbacks_;  ///< used on the device's thread alone once it is there

  mutable std::mutex mutex_;  ///< guards what follows
  std::condition_variable changed_;
  std::list<Conversation> conversations_;
  bool hung_up_ = false;
  std::vector<std::shared_ptr<const Module>> modules_;
  std::map<std::uint64_t, std::size_t> live_;  ///< address to its place in record_.allocations
  std::map<std::uint32_t, std::uint64_t> pending_;
  std::map<std::uint32_t, EventNote> events_;
  std::vector<std::uint64_t> used_;  ///< bytes of each device's memory
  BandedClock clock_;
  StreamOrder order_;
  LateCopies late_copies_;
  bool has_streams_ = false;  ///< the program has made one
  ProgramRecord record_;
  std::string output_, complaints_;
  std::uint64_t allocations_ = 0, launches_ = 0, copies_asked_ = 0;  ///< that were asked for
  std::int32_t sticky_ = 0;
};

}  // namespace warpbook::device::runtime
