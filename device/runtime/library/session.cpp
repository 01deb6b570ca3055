#include "device/runtime/library/session.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "device/runtime/library/faults.hpp"
#include "device/simulator/isa/address_windows.hpp"

namespace warpbook::device::runtime {
namespace {

/// "200,201"
std::optional<std::pair<int, int>> connection() {
  const char* text = std::getenv(kConnectionVariable);
  if (!text) return std::nullopt;
  const std::string_view all = text;
  const auto comma = all.find(',');
  if (comma == all.npos) return std::nullopt;
  int channel = -1, log = -1;
  const auto first = std::from_chars(all.data(), all.data() + comma, channel);
  const auto second = std::from_chars(all.data() + comma + 1, all.data() + all.size(), log);
  if (first.ec != std::errc{} || second.ec != std::errc{}) return std::nullopt;
  return std::pair(channel, log);
}

/// A thread's channel, which lasts as long as the thread; the first thread's as long as the process, because objects that are
/// destroyed after its thread_local ones may still call the runtime.
class ThreadChannel {
 public:
  ThreadChannel() = default;
  ThreadChannel(const ThreadChannel&) = delete;
  ThreadChannel& operator=(const ThreadChannel&) = delete;
  ~ThreadChannel() {
    if (::gettid() != ::getpid()) delete channel_;
  }
  [[nodiscard]] Channel* get() const { return channel_; }
  Channel* take(Channel channel) { return channel_ = new Channel(std::move(channel)); }

 private:
  Channel* channel_ = nullptr;
};
thread_local ThreadChannel thread_channel;

thread_local bool calls_host_function = false;

/// NVIDIA's driver shuts down in an exit handler that its first use installs. So destructors of objects that were made before, such
/// as global ones, run after that, and each call in them is an error.
std::atomic<bool> is_unloading{false};
void unload_at_exit() {
  (void)std::atexit([] { is_unloading.store(true, std::memory_order_relaxed); });
}

/// What the program starts is not to hold our descriptors open.
void close_on_exec(int descriptor) { ::fcntl(descriptor, F_SETFD, FD_CLOEXEC); }

}  // namespace

bool in_host_function() { return calls_host_function; }

cudaError_t refusal() {
  if (is_unloading.load(std::memory_order_relaxed)) return cudaErrorCudartUnloading;
  // A call that waits for the stream would wait for ever.
  return calls_host_function ? cudaErrorNotPermitted : cudaSuccess;
}

std::uint16_t thread_number(CallLog& log) {
  thread_local const auto number = static_cast<std::uint16_t>(log.threads.fetch_add(1));
  return number;
}

Session* Session::get() {
  // Never destroyed: a program may call the runtime from its own destructors, and is to be answered.
  static Session* const session = [] {
    auto* made = new Session;
    if (made->connect()) {
      unload_at_exit();
      return made;
    }
    std::fputs(
        "warpbook: this program is linked with Warpbook's CUDA runtime, and nobody runs its "
        "kernels; start it "
        "with `warpbook exec PROGRAM`\n",
        stderr);
    delete made;
    return static_cast<Session*>(nullptr);
  }();
  return session;
}

bool Session::connect() {
  const auto descriptors = connection();
  if (!descriptors) return false;
  close_on_exec(descriptors->first);
  close_on_exec(descriptors->second);
  first_ = Channel(UniqueFd(descriptors->first));
  auto calls = CallLogMemory::open(UniqueFd(descriptors->second));
  if (!calls) return false;
  calls_ = std::move(*calls);
  process_ = ::getpid();
  if (!first_.send(0, to_bytes(Request(Hello{process_})))) return false;
  Packet packet;
  if (first_.receive(packet) != Channel::Outcome::message) return false;
  auto welcome = from_bytes<Welcome>(packet.bytes);
  if (!welcome) return false;
  welcome_ = std::move(*welcome);
  memory_ = std::move(packet.memory);
  // The devices' addresses are the program's own: managed and pinned memory is opened page by page, and whatever touches the
  // rest is caught.
  void* const base = reinterpret_cast<void*>(kGlobalBase);
  if (::mmap(base, welcome_.memory_bytes, PROT_NONE,
             MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, memory_.get(), 0) != base) {
    return false;
  }
  watch_for_faults(calls_.log());
  return true;
}

Channel* Session::channel_of_thread() {
  // A process that was forked off has no device, as with CUDA.
  if (::getpid() != process_) return nullptr;
  if (Channel* const channel = thread_channel.get()) return channel;
  auto ends = Channel::pair();
  if (!ends) return nullptr;
  const std::lock_guard lock(first_mutex_);
  if (!first_.send(0, to_bytes(Request(AddChannel{})), ends->second.fd())) return nullptr;
  Packet packet;
  if (first_.receive(packet) != Channel::Outcome::message) return nullptr;
  return thread_channel.take(std::move(ends->first));
}

std::optional<std::string> Session::exchange(const std::string& request) {
  Channel* channel = channel_of_thread();
  Packet packet;
  if (!channel || !channel->send(0, request) ||
      channel->receive(packet) != Channel::Outcome::message) {
    return std::nullopt;
  }
  return std::move(packet.bytes);
}

bool Session::serve_callbacks() {
  const std::lock_guard lock(first_mutex_);
  if (callbacks_) return true;
  auto ends = Channel::pair();
  Packet packet;
  if (!ends || !first_.send(0, to_bytes(Request(AddChannel{true})), ends->second.fd()) ||
      first_.receive(packet) != Channel::Outcome::message) {
    return false;
  }
  std::thread([channel = std::move(ends->first)]() mutable {
    calls_host_function = true;
    Packet asked;
    while (channel.receive(asked) == Channel::Outcome::message) {
      const auto call = from_bytes<CallHostFunction>(asked.bytes);
      if (!call) return;
      reinterpret_cast<void (*)(void*, std::int32_t)>(call->function)(
          reinterpret_cast<void*>(call->argument), call->error);
      if (!channel.send(0, to_bytes(Answer{}))) return;
    }
  }).detach();
  callbacks_ = true;
  return true;
}

void Session::add(std::uint64_t address, const Memory& memory) {
  const std::lock_guard lock(mutex_);
  allocations_[address] = memory;
}

std::optional<Memory> Session::remove(std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  const auto found = allocations_.find(address);
  if (found == allocations_.end()) return std::nullopt;
  const Memory memory = found->second;
  allocations_.erase(found);
  return memory;
}

std::map<std::uint64_t, Memory> Session::allocations() const {
  const std::lock_guard lock(mutex_);
  return allocations_;
}

std::optional<std::pair<std::uint64_t, Memory>> Session::find(std::uint64_t address) const {
  const std::lock_guard lock(mutex_);
  auto after = allocations_.upper_bound(address);
  if (after == allocations_.begin()) return std::nullopt;
  const auto& [begin, memory] = *std::prev(after);
  // The end belongs to it, too: pointers one past the last element are given to calls that copy nothing.
  if (address > begin + memory.bytes) return std::nullopt;
  return std::pair(begin, memory);
}

bool Session::is_device_address(std::uint64_t address) const {
  return address >= kGlobalBase && address < kGlobalBase + welcome_.memory_bytes;
}

void Session::open_pages(std::uint64_t address, std::uint64_t bytes, bool open) const {
  constexpr std::uint64_t kPage = 4096;
  const std::uint64_t begin = address / kPage * kPage,
                      end = (address + bytes + kPage - 1) / kPage * kPage;
  ::mprotect(reinterpret_cast<void*>(begin), end - begin,
             open ? PROT_READ | PROT_WRITE : PROT_NONE);
}

}  // namespace warpbook::device::runtime
