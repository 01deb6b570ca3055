#include "lessons/two-memories/processing.hpp"

#include <algorithm>
#include <array>

#include "device/gpu_table.hpp"
#include "lessons/common.hpp"

namespace warpbook::lessons::two_memories {
namespace {

using device::runtime::Duration;
using device::runtime::Engine;
using lab::MemoriesExhibit;
using Memory = MemoriesExhibit::Memory;
using Way = MemoriesExhibit::Way;

/// Readings of all launches that are simulated one by one: about half a second on two cores.
constexpr std::int64_t kMostReadings = 1 << 20;
constexpr std::uint64_t kSampledBlocks = 64;
constexpr std::size_t kShownValues = 6;

/// Readings of a table: small whole numbers, exact in float, and other ones for each array.
std::vector<float> readings(std::int64_t n, std::size_t array) {
  constexpr std::array kFirst{12.0f, 18.0f, 11.0f, 19.0f, 9.0f, 14.0f};
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    values.push_back(kFirst[(at + 2 * array) % kFirst.size()] +
                     static_cast<float>(at / kFirst.size() % 10));
  }
  return values;
}

std::string first_values(std::span<const float> values) {
  std::string text;
  for (const float value : values.first(std::min(values.size(), kShownValues)))
    text += (text.empty() ? "" : " ") + lab::figure(value);
  return values.size() > kShownValues ? text + " …" : text;
}

Memory memory_of(const std::string& name) {
  if (name == kManaged) return Memory::managed;
  return name == kPageable ? Memory::pageable : Memory::pinned;
}

/// A kernel that works across the link takes as long as the link needs at least. Reads and writes go at the same time.
Duration longer(const Duration& a, const Duration& b) {
  return {std::max(a.seconds, b.seconds), std::max(a.low, b.low), std::max(a.high, b.high)};
}

}  // namespace

Setting::Setting(lab::Lab& lab)
    : n(lab.integer("n")),
      tables(lab.integer("tables")),
      launches(lab.integer("launches")),
      work(lab.choice("work")),
      memory(lab.choice("memory")),
      anew(lab.choice("anew")),
      copy_in(lab.toggle("copy_in")),
      copy_back(lab.toggle("copy_back")),
      wait(lab.toggle("wait")) {}

bool Setting::whole() const { return n * tables * launches <= kMostReadings; }

Processing::Processing(lab::Lab& lab, const Setting& setting,
                       std::shared_ptr<const device::Module> plus)
    : lab_(lab),
      setting_(setting),
      copies_(lab.device().properties()),
      module_(setting.work == kSum ? lab.compile("sum") : std::move(plus)) {
  const auto add = [&](const std::string& name, bool in, bool out) {
    std::vector<float> values;
    if (setting.whole()) {
      values = in ? readings(setting.n, arrays_.size())
                  : std::vector<float>(static_cast<std::size_t>(setting.n));
    }
    arrays_.push_back({name, in, out, std::move(values), {}, {}});
  };
  if (setting.work == kSum) {
    add("a", true, false);
    add("b", true, false);
    add("sum", false, true);
  } else {
    add("t", true, true);
  }
}

void Processing::run() {
  for (std::int64_t table = 0; table < setting_.tables; ++table) {
    const bool first = table == 0, last = table + 1 == setting_.tables,
               anew = setting_.anew != kOnce;
    // Each table arrives as the first one did.
    if (setting_.whole()) {
      for (std::size_t i = 0; i < arrays_.size(); ++i)
        if (arrays_[i].in) arrays_[i].values = readings(setting_.n, i);
    }
    if (first || anew) allocate(first);
    if (setting_.copy_in) copy_in();
    if (setting_.has_kernel()) {
      for (std::int64_t k = 0; k < setting_.launches; ++k) launch(k == 0);
      // Where nothing is copied, nothing else waits for the kernel.
      if (setting_.wait || !setting_.copies()) host_.wait("cudaDeviceSynchronize");
    }
    if (setting_.copy_back) copy_back();
    if (last) look_at_device();
    if (last || anew) release();
  }
}

std::vector<float> Processing::truth() const {
  std::vector<float> truth = readings(setting_.n, 0);
  if (setting_.work == kSum)
    std::ranges::transform(truth, readings(setting_.n, 1), truth.begin(), std::plus{});
  if (setting_.work == kPlusFive)
    for (float& value : truth) value += kDegrees * static_cast<float>(setting_.launches);
  return truth;
}

void Processing::allocate(bool first) {
  for (Array& array : arrays_) {
    array.buffer = lab_.allocate(setting_.copies() ? "d_" + array.name : array.name,
                                 device::ElementType::f32, static_cast<std::uint64_t>(setting_.n));
    if (setting_.memory == kMapped) continue;  // the host's memory is there already
    if (setting_.memory == kManaged) {
      host_.spend("cudaMallocManaged", device::runtime::allocation_time());
    } else if (setting_.anew == kByPool) {
      // A pool has nothing to give until something was freed into it.
      host_.spend(std::string(kByPool),
                  first ? device::runtime::allocation_time() : lab::HostSide::kOneCall);
    } else {
      host_.spend("cudaMalloc", device::runtime::allocation_time());
    }
  }
}

void Processing::release() {
  for (Array& array : arrays_) {
    array.buffer = {};
    if (setting_.memory == kMapped) continue;
    if (setting_.copies() && setting_.anew == kByPool) {
      host_.spend("cudaFreeAsync", lab::HostSide::kOneCall);
    } else {
      host_.wait("cudaFree", device::runtime::allocation_time());
    }
  }
}

void Processing::copy_in() {
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    Array& array = arrays_[i];
    if (!array.in) continue;
    if (setting_.whole()) lab_.copy_in(array.buffer, std::as_bytes(std::span(array.values)));
    if (!setting_.copies()) continue;
    host_.ask_and_wait("cudaMemcpy", {Engine::copy_in, array.name,
                                      copies_.over_link(bytes(), is_pinned()), bytes()});
    note_transfer(i, Way::copy, true);
  }
}

device::Launch Processing::prepared_launch() const {
  std::vector<device::Argument> arguments;
  for (const Array& array : arrays_) arguments.push_back(pointer_argument(array.buffer));
  if (setting_.work == kPlusFive) arguments.push_back(device::Argument::of(kDegrees));
  arguments.push_back(number_argument(setting_.n));
  return launch_of(module_, "", setting_.n, kThreads, std::move(arguments));
}

std::shared_ptr<const device::LaunchRecord> Processing::launched() {
  device::Launch launch = prepared_launch();
  if (setting_.whole()) return lab_.launch(std::move(launch));
  if (record_) return record_;
  // Nothing has been copied in, so nothing is checked.
  launch.observe.initcheck = launch.observe.memcheck = false;
  launch.observe.trace_accesses = 0;
  launch.estimate = {true, kSampledBlocks};
  launch.stop = lab_.context().stop;
  return lab::require(lab_.device().launch(std::move(launch)).wait());
}

void Processing::launch(bool first) {
  if (first && setting_.memory == kManaged && setting_.copy_in) {
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
      if (!arrays_[i].in) continue;
      host_.work({Engine::copy_in, arrays_[i].name, copies_.by_faults(bytes()), bytes()});
      note_transfer(i, Way::pages, true);
    }
  }
  record_ = launched();
  note_launch();
}

void Processing::note_launch() {
  lab::HostSide::Work work = lab::HostSide::launch_of(*record_);
  if (setting_.memory == kMapped) {
    std::uint64_t in = 0;
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
      if (arrays_[i].in) {
        in += bytes();
        note_transfer(i, Way::access, true);
      }
      if (arrays_[i].out) note_transfer(i, Way::access, false);
    }
    work.time =
        longer(work.time, longer(copies_.over_link(in, true), copies_.over_link(bytes(), true)));
  }
  host_.ask("cudaLaunchKernel", work);
}

void Processing::copy_back() {
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    Array& array = arrays_[i];
    if (!array.out) continue;
    if (setting_.whole())
      lab_.copy_out(array.buffer, std::as_writable_bytes(std::span(array.values)));
    if (setting_.copies()) {
      host_.ask_and_wait("cudaMemcpy", {Engine::copy_out, array.name,
                                        copies_.over_link(bytes(), is_pinned()), bytes()});
      note_transfer(i, Way::copy, false);
    } else if (setting_.memory == kManaged) {
      host_.work({Engine::copy_out, array.name, copies_.by_faults(bytes()), bytes()});
      host_.wait(array.name + "[i]", {});
      note_transfer(i, Way::pages, false);
    }
  }
}

void Processing::look_at_device() {
  if (!setting_.whole()) return;
  for (Array& array : arrays_) {
    std::vector<float> values(std::min(static_cast<std::size_t>(setting_.n), kShownValues + 1));
    const auto bytes = std::as_writable_bytes(std::span(values));
    lab::wait_for(lab_.device().copy_out(bytes, array.buffer.address()));
    // What nothing was copied to holds whatever was there, and so does what is computed from it.
    array.on_device = setting_.copy_in ? first_values(values) : "?";
  }
}

void Processing::note_transfer(std::size_t array, Way way, bool to_device) {
  const auto number = static_cast<std::uint32_t>(array);
  const auto same = std::ranges::find_if(transfers_, [&](const auto& transfer) {
    return transfer.host == number && transfer.to_device == to_device;
  });
  if (same == transfers_.end()) {
    transfers_.push_back({way, to_device, number, {}, bytes(), 1});
  } else {
    same->bytes += bytes();
    ++same->times;
  }
}

lab::MemoriesExhibit Processing::memories() const {
  const device::Properties& gpu = lab_.device().properties();
  MemoriesExhibit made;
  made.gpu = gpu.name;
  made.link_rate = copies_.link_rate(setting_.memory != kPageable);
  made.memory_rate = device::memory_rate(gpu);
  made.transfers = transfers_;
  const Memory memory = memory_of(setting_.memory);
  for (const Array& array : arrays_)
    made.arrays.push_back({array.name, memory, bytes(), first_values(array.values)});
  const auto own = static_cast<std::uint32_t>(arrays_.size());
  if (setting_.copies()) {
    for (const Array& array : arrays_)
      made.arrays.push_back({"d_" + array.name, Memory::device, bytes(), array.on_device});
  }
  for (MemoriesExhibit::Transfer& transfer : made.transfers) {
    if (transfer.way == Way::copy) transfer.device = own + transfer.host;
    if (transfer.way == Way::pages) transfer.device = transfer.host;
  }
  return made;
}

lab::TimelineExhibit Processing::timeline() {
  return host_.timeline(lab::Message::plain(lab_.device().properties().name));
}

}  // namespace warpbook::lessons::two_memories
