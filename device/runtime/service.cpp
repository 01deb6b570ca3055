#include "device/runtime/service.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <new>
#include <random>
#include <span>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "device/launch_check.hpp"
#include "device/runtime/cuda_error.hpp"
#include "device/runtime/fat_binary.hpp"
#include "device/simulator/link.hpp"
#include "device/wire/bytes.hpp"

namespace warpbook::device::runtime {
namespace {

/// The memory of all devices lies in one region, so that an address says by itself where it is.
Properties with_memory_of(Properties gpu, std::uint32_t devices) {
  gpu.global_bytes *= devices;
  return gpu;
}

/// From the first byte to behind the last one; nothing where rows or slices overlap, or no memory is so large. What a program
/// sends may be anything.
std::optional<std::uint64_t> reach_of(const Shape& shape, std::uint64_t pitch,
                                      std::uint64_t slice) {
  std::uint64_t slice_bytes = 0, rows = 0, slices = 0, reach = 0;
  const bool too_large = __builtin_mul_overflow(pitch, shape.height - 1, &rows) ||
                         __builtin_add_overflow(rows, shape.width, &slice_bytes) ||
                         __builtin_mul_overflow(slice, shape.depth - 1, &slices) ||
                         __builtin_add_overflow(slices, slice_bytes, &reach);
  const bool overlap =
      (shape.height > 1 && pitch < shape.width) || (shape.depth > 1 && slice < slice_bytes);
  if (too_large || overlap) return std::nullopt;
  return reach;
}

/// Rows that follow each other without a gap are one, and so are rows of nothing.
Shape joined(Shape shape) {
  if (shape.width == 0 || shape.height == 0 || shape.depth == 0) return {};
  if (shape.height == 1 || (shape.to_pitch == shape.width && shape.from_pitch == shape.width)) {
    const bool slices_follow = shape.depth == 1 || (shape.to_slice == shape.width * shape.height &&
                                                    shape.from_slice == shape.width * shape.height);
    if (slices_follow) {
      shape.width *= shape.height * shape.depth;
      shape.height = shape.depth = 1;
    }
  }
  return shape;
}

/// The bytes of all rows that begin at an address.
std::vector<Extent> rows_at(std::uint64_t address, const Shape& shape, std::uint64_t pitch,
                            std::uint64_t slice) {
  std::vector<Extent> rows;
  for (std::uint64_t z = 0; z < shape.depth; ++z) {
    for (std::uint64_t y = 0; y < shape.height; ++y) {
      const std::uint64_t begin = address + z * slice + y * pitch;
      rows.push_back({begin, begin + shape.width});
    }
  }
  return joined(std::move(rows));
}

/// How many accesses of a kernel are traced for what it uses.
constexpr std::uint32_t kTracedAccesses = 1u << 16;

/// What a kernel used of global memory, as far as it was traced. Atomic operations are left out: kernels that run at once may well
/// meet in them.
Footprint footprint_of(const LaunchRecord& record) {
  Footprint made;
  for (const Access& access : record.trace) {
    if (access.space != Space::global || access.kind == AccessKind::atomic) continue;
    auto& extents = access.kind == AccessKind::load ? made.reads : made.writes;
    const std::uint64_t end = access.address + access.bytes;
    // Lanes of a warp touch one place after the other.
    if (!extents.empty() && extents.back().end == access.address)
      extents.back().end = end;
    else
      extents.push_back({access.address, end});
  }
  return {joined(std::move(made.reads)), joined(std::move(made.writes))};
}

/// Changes all bytes, so that numbers of every type become others: a 0 does, and the whole part of a float as well. Small whole numbers
/// become larger ones, also where they have a byte each. What is changed again and again comes back to what it was after 256 times only,
/// where launches add to what others have left.
void spoil(GlobalMemory& memory, const std::vector<Extent>& extents) {
  constexpr unsigned kChange = 0x7b;
  for (const auto& [begin, end] : extents) {
    std::vector<std::byte> bytes(end - begin);
    if (!memory.read(begin, bytes)) continue;
    for (std::byte& byte : bytes) byte = std::byte(std::to_integer<unsigned>(byte) + kChange);
    (void)memory.write(begin, bytes);
  }
}

/// Lets words of eight bytes change places, the same ones in every run. So numbers of every type stay what they are.
void shuffle(GlobalMemory& memory, const std::vector<Extent>& extents) {
  for (const auto& [begin, end] : extents) {
    std::vector<std::uint64_t> words((end - begin) / sizeof(std::uint64_t));
    if (words.empty() || !memory.read(begin, std::as_writable_bytes(std::span(words)))) continue;
    std::ranges::shuffle(words, std::mt19937_64());
    (void)memory.write(begin, std::as_bytes(std::span(words)));
  }
}

void clear(GlobalMemory& memory, const std::vector<Extent>& extents) {
  for (const auto& [begin, end] : extents) (void)memory.fill(begin, std::byte{0}, end - begin);
}

void treat(CopiesIn copies, GlobalMemory& memory, const std::vector<Extent>& arrived) {
  switch (copies) {
    case CopiesIn::kept: break;
    case CopiesIn::changed: spoil(memory, arrived); break;
    case CopiesIn::shuffled: shuffle(memory, arrived); break;
    case CopiesIn::cleared: clear(memory, arrived); break;
  }
}

/// Where a kernel has stored, as far as it was traced.
std::vector<Extent> stored_by(const LaunchRecord& record) {
  std::vector<Extent> stored;
  for (const Access& access : record.trace)
    if (access.space == Space::global && access.kind != AccessKind::load)
      stored.push_back({access.address, access.address + access.bytes});
  return joined(std::move(stored));
}

/// A row of elements that are all the value's low bytes.
std::string repeated(std::uint32_t value, std::uint32_t element_bytes, std::uint64_t bytes) {
  std::string row(bytes, '\0');
  for (std::uint64_t at = 0; at + element_bytes <= bytes; at += element_bytes)
    std::memcpy(row.data() + at, &value, element_bytes);
  return row;
}

/// The code that the program is given for a launch that ran: that of the first thing at which a GPU stops.
std::int32_t failure_of(const LaunchRecord& record) {
  if (record.error) {
    if (const CudaError stopped = cuda_error_of(record.error->code)) return stopped;
  }
  for (const Finding& finding : record.findings) {
    if (const CudaError stopped = cuda_error_of(finding.error.code)) return stopped;
  }
  return kSuccess;
}

/// "[1,0,0]": where a number lies in an extent.
std::string place_in(const Dim3& extent, std::uint64_t number) {
  return fmt::format("[{},{},{}]", number % extent.x, number / extent.x % extent.y,
                     number / extent.x / extent.y);
}

/// What a GPU says of an assertion that failed (CUDA C++ Programming Guide, "Assertion").
std::string assertion_line(const Error& error, const Dim3& grid, const Dim3& block) {
  const auto said = [&](std::string_view name) {
    const auto found = std::ranges::find(error.arguments, name, &MessageArgument::name);
    return found == error.arguments.end() ? std::string() : found->value.text;
  };
  const auto number = [&](std::string_view name) {
    const std::string text = said(name);
    std::uint64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  };
  return fmt::format("{}:{}: {}: block: {}, thread: {} Assertion `{}` failed.\n", error.place.file,
                     error.place.line, said("function"), place_in(grid, number("block")),
                     place_in(block, number("thread")), said("text"));
}

Argument argument_of(const ParameterInfo& parameter, const std::string& value) {
  std::vector<std::byte> bytes(parameter.bytes);
  std::memcpy(bytes.data(), value.data(), std::min(bytes.size(), value.size()));
  const ParameterClass kind = class_of(parameter);
  if (kind == ParameterClass::structure) return Argument::structure(std::move(bytes));
  Argument argument;
  argument.kind =
      kind == ParameterClass::pointer ? Argument::Kind::pointer : Argument::Kind::scalar;
  argument.type = natural_type(parameter);
  argument.bytes = std::move(bytes);
  return argument;
}

KernelDescription description_of(const KernelInfo& kernel) {
  KernelDescription description;
  description.mangled = kernel.mangled;
  description.name = kernel.name;
  std::uint32_t end = 0;
  for (const ParameterInfo& parameter : kernel.parameters) {
    const std::uint32_t alignment = std::max(parameter.alignment, 1u);
    const std::uint32_t offset = (end + alignment - 1) / alignment * alignment;
    description.parameter_bytes.push_back(parameter.bytes);
    description.parameter_offsets.push_back(offset);
    end = offset + parameter.bytes;
  }
  description.static_shared = kernel.static_shared;
  description.local_bytes = kernel.local_bytes;
  description.max_threads = kernel.max_threads;
  description.registers = kernel.registers;
  return description;
}

}  // namespace

Expected<std::unique_ptr<Service>> Service::make(ServiceSettings settings) {
  auto calls = CallLogMemory::make();
  if (calls) {
    try {
      return std::unique_ptr<Service>(new Service(std::move(settings), std::move(*calls)));
    } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): told below
    }
  }
  return failure(ErrorCode::out_of_memory, {{"bytes", std::to_string(settings.gpu.global_bytes)},
                                            {"name", Message{"phrase.name.device-memory", {}, {}}},
                                            {"free", Message{"phrase.count.few", {}, {}}}});
}

Service::Service(ServiceSettings settings, CallLogMemory calls)
    : settings_(std::move(settings)),
      calls_(std::move(calls)),
      device_(with_memory_of(settings_.gpu, settings_.devices), true),
      copies_(settings_.gpu),
      used_(settings_.devices) {}

Service::~Service() {
  stop();
  hang_up();
}

void Service::serve(Channel channel) {
  const std::lock_guard lock(mutex_);
  if (hung_up_) return;
  Conversation& begun = conversations_.emplace_back();
  begun.channel = std::move(channel);
  begun.thread = std::thread([this, &begun] {
    talk(begun.channel);
    const std::lock_guard closing(mutex_);
    begun.channel.close();
  });
}

void Service::hang_up() {
  {
    const std::lock_guard lock(mutex_);
    hung_up_ = true;
    for (const Conversation& one : conversations_)
      if (one.channel) ::shutdown(one.channel.fd(), SHUT_RDWR);
    if (callbacks_) ::shutdown(callbacks_.fd(), SHUT_RDWR);
    changed_.notify_all();
  }
  for (Conversation& one : conversations_) one.thread.join();
  conversations_.clear();
}

/// A request for which there is not enough memory ends the conversation, and nothing else.
void Service::talk(Channel& channel) {
  Packet packet;
  while (channel.receive(packet) == Channel::Outcome::message) {
    const auto request = from_bytes<Request>(packet.bytes);
    // A program whose memory is in ruins is told nothing more.
    if (!request) return;
    std::string reply;
    try {
      reply = answer(*request, std::move(packet.memory));
    } catch (const std::bad_alloc&) {
      return;
    } catch (const std::length_error&) {
      return;
    }
    if (settings_.one_by_one) (void)device_.synchronise();
    const bool hello = std::holds_alternative<Hello>(*request);
    if (!channel.send(0, reply, hello ? device_.memory().shared_fd() : -1)) return;
  }
}

std::string Service::answer(const Request& request, UniqueFd attached) {
  return std::visit(
      [&](const auto& asked) {
        if constexpr (std::is_same_v<std::decay_t<decltype(asked)>, AddChannel>)
          return to_bytes(on(asked, std::move(attached)));
        else
          return to_bytes(on(asked));
      },
      request);
}

Welcome Service::on(const Hello&) {
  const std::lock_guard lock(mutex_);
  record_.connected = true;
  return {settings_.gpu, settings_.devices, device_.memory().region_bytes()};
}

Answer Service::on(const AddChannel& request, UniqueFd socket) {
  Channel channel(std::move(socket));
  if (!request.callbacks) {
    serve(std::move(channel));
    return {};
  }
  const std::lock_guard lock(mutex_);
  callbacks_ = std::move(channel);
  return {};
}

// Code

Expected<std::shared_ptr<const Module>> Service::load(const std::vector<std::string>& images) {
  auto program = std::make_shared<Program>();
  program->name = "program";
  program->architecture = settings_.gpu.compute_capability;
  std::vector<PtxModule> parts;
  for (const std::string& image : images) {
    if (!is_fat_binary(image)) {
      parts.push_back({fmt::format("part {}", parts.size() + 1), image});
      continue;
    }
    const auto binary = read_fat_binary(image);
    if (!binary) return tl::unexpected(binary.error());
    const FatPtx* best = best_for(*binary, settings_.gpu.compute_capability);
    if (!best) {
      return failure(
          ErrorCode::ptx_limit,
          {{"why", Message{binary->machine_code ? "phrase.why.fat-no-ptx" : "phrase.why.fat-newer",
                           {{"target", std::to_string(settings_.gpu.compute_capability)}},
                           {}}}});
    }
    parts.push_back({fmt::format("part {}", parts.size() + 1), best->text});
  }
  if (parts.size() == 1) {
    program->ptx = std::move(parts.front().text);
  } else {
    auto linked = link_ptx(parts);
    if (!linked) return tl::unexpected(linked.error());
    program->ptx = std::move(*linked);
  }
  return device_.load(std::move(program));
}

Loaded Service::on(const Load& request) {
  auto module = load(request.images);
  const std::lock_guard lock(mutex_);
  if (!module) {
    record_.refused.push_back(module.error());
    return {cuda_error_of(module.error().code), 0, {}, module.error().english()};
  }
  Loaded loaded;
  loaded.module = static_cast<std::uint32_t>(modules_.size());
  for (const KernelInfo& kernel : (*module)->kernels())
    loaded.kernels.push_back(description_of(kernel));
  modules_.push_back(std::move(*module));
  return loaded;
}

std::shared_ptr<const Module> Service::module_of(std::uint32_t number) const {
  const std::lock_guard lock(mutex_);
  return number < modules_.size() ? modules_[number] : nullptr;
}

MemoryPlace Service::on(const FindVariable& request) {
  const auto module = module_of(request.module);
  if (!module) return {kInvalidSymbol};
  const auto found = device_.global(*module, request.name);
  if (!found) return {kInvalidSymbol};
  return {kSuccess, found->address, found->bytes};
}

bool Service::is_nth(std::uint64_t& counter, std::uint64_t wanted) {
  const std::lock_guard lock(mutex_);
  return ++counter == wanted;
}

// Memory

std::string Service::name_of_memory(std::uint64_t call) const {
  if (call >= kMostCalls || !settings_.name_of_memory) return "";
  return settings_.name_of_memory(calls_.log().record[call], calls_.log().base);
}

MemoryPlace Service::on(const Allocate& request) {
  if (const std::int32_t before = sticky()) return {before};
  if (request.device >= used_.size()) return {kInvalidValue};
  const bool on_device = request.kind != MemoryKind::pinned;
  if (on_device && is_nth(allocations_, settings_.failing_allocation)) return {kMemoryAllocation};
  {
    const std::lock_guard lock(mutex_);
    if (on_device && request.bytes > settings_.gpu.global_bytes - used_[request.device])
      return {kMemoryAllocation};
  }
  std::string name = name_of_memory(request.call);
  const auto address = request.kind == MemoryKind::device
                           ? device_.allocate(name, ElementType::u8, request.bytes)
                           : device_.allocate_pages(name, request.bytes);
  if (!address) return {cuda_error_of(address.error().code)};
  allocated(
      {*address, request.bytes, request.kind, request.call, {}, std::move(name), request.device});
  return {kSuccess, *address, request.bytes};
}

void Service::allocated(AllocationRecord allocation) {
  const std::lock_guard lock(mutex_);
  host_calls();
  live_[allocation.address] = record_.allocations.size();
  if (allocation.kind != MemoryKind::pinned) used_[allocation.device] += allocation.bytes;
  record_.allocations.push_back(std::move(allocation));
}

void Service::freed(std::uint64_t address, std::uint64_t call) {
  const std::lock_guard lock(mutex_);
  const auto found = live_.find(address);
  if (found == live_.end()) return;
  AllocationRecord& allocation = record_.allocations[found->second];
  allocation.freed_by = call;
  late_copies_.forget(allocation.address, allocation.address + allocation.bytes);
  if (allocation.kind != MemoryKind::pinned) used_[allocation.device] -= allocation.bytes;
  live_.erase(found);
}

Answer Service::on(const Release& request) {
  if (const std::int32_t before = sticky()) return {before, ""};
  {
    const std::lock_guard lock(mutex_);
    host_calls();
    if (!live_.contains(request.address)) return {kInvalidValue, ""};
  }
  if (request.ordered) {
    // Its addresses stay valid for what is queued before; nothing is given out again before that is done.
    after(request.stream, [this, request] {
      (void)device_.release(request.address);
      freed(request.address, request.call);
    });
    return {};
  }
  wait_for(0, request.call);
  if (auto released = device_.release(request.address); !released) return {kInvalidValue, ""};
  freed(request.address, request.call);
  return waited();
}

std::int32_t Service::check_rows(std::uint64_t address, const Shape& shape, std::uint64_t pitch,
                                 std::uint64_t slice) const {
  if (shape.width == 0 || shape.height == 0 || shape.depth == 0) return kSuccess;
  const auto table = device_.memory().table();
  const Allocation* allocation = table->at(address);
  if (!allocation || allocation->freed) return kInvalidValue;
  const auto reach = reach_of(shape, pitch, slice);
  return reach && *reach <= allocation->end() - address ? kSuccess : kInvalidValue;
}

bool Service::is_unwritten(std::uint64_t from, const Shape& shape) const {
  // Structures have gaps between their members, and buffers a rest that nobody fills: what counts is that nothing at all is there.
  for (std::uint64_t z = 0; z < shape.depth; ++z) {
    for (std::uint64_t y = 0; y < shape.height; ++y) {
      const std::uint64_t row = from + z * shape.from_slice + y * shape.from_pitch;
      for (std::uint64_t at = row; at < row + shape.width; ++at)
        if (device_.memory().all_valid(at, 1)) return false;
    }
  }
  return true;
}

std::int32_t Service::sticky() const {
  const std::lock_guard lock(mutex_);
  return sticky_;
}

Answer Service::waited() {
  const std::lock_guard lock(mutex_);
  return {sticky_, std::exchange(output_, {}), std::exchange(complaints_, {})};
}

void Service::wait_for(std::uint32_t stream, std::uint64_t call) {
  // What fails is noted where it is queued; the queue's own memory of errors is not asked.
  (void)device_.synchronise(Stream{stream});
  const std::lock_guard lock(mutex_);
  const Interval time = clock_([stream](DeviceClock& clock) { return clock.wait(stream); });
  order_.host_waits(stream);
  late_copies_.arrive(device_.memory(), order_.host());
  record_.waits.push_back({call, record_.operations.size(), stream, time});
}

Interval Service::host_calls() { return clock_.call(); }

void Service::after(std::uint32_t stream, std::function<void()> then) {
  {
    const std::lock_guard lock(mutex_);
    ++pending_[stream];
  }
  device_.call_host(
      [this, stream, call = std::move(then)] {
        call();
        const std::lock_guard lock(mutex_);
        --pending_[stream];
        changed_.notify_all();
      },
      Stream{stream});
}

Answer Service::copied(const Order& order, OperationNote copy, const Duration& duration,
                       std::shared_ptr<const std::vector<HeldRow>> old) {
  copy.call = order.call;
  copy.stream = order.stream;
  after(order.stream, [this, made = std::move(copy), duration, held = std::move(old),
                       host = host_past()]() mutable {
    if (made.engine == Engine::copy_in && settings_.on_copy_in)
      settings_.on_copy_in(made.footprint.writes, device_.memory());
    if (made.engine == Engine::copy_in)
      treat(settings_.copies_in, device_.memory(), made.footprint.writes);
    const std::lock_guard lock(mutex_);
    made.asked = host_calls();
    made.time = clock_.run(made.stream, made.engine, duration);
    made.past = order_.add(made.stream, host);
    if (held && !held->empty())
      late_copies_.hold(device_.memory(), made.stream, record_.operations.size(), *held);
    record_.operations.push_back(std::move(made));
  });
  if (!order.wait) return {sticky(), ""};
  wait_for(order.stream, order.call);
  return waited();
}

Answer Service::on(const CopyIn& request) {
  if (const std::int32_t before = sticky()) return {before, ""};
  if (is_nth(copies_asked_, settings_.failing_copy)) return {kUnknown, ""};
  if (request.bytes.size() != bytes_of(request.shape)) return {kInvalidValue, ""};
  if (const auto error =
          check_rows(request.to, request.shape, request.shape.to_pitch, request.shape.to_slice))
    return {error, ""};
  const Shape shape = joined(request.shape);
  let_copies_arrive(request.order.stream);
  const auto held = std::make_shared<const std::string>(request.bytes);
  for_rows(shape, [&](std::uint64_t packed, std::uint64_t to, std::uint64_t) {
    const auto row = std::as_bytes(std::span(*held)).subspan(packed, shape.width);
    (void)device_.copy_in(request.to + to, row, Stream{request.order.stream});
  });
  after(request.order.stream, [held] {});
  return copied(request.order,
                {.engine = Engine::copy_in,
                 .bytes = held->size(),
                 .pageable = true,
                 .footprint = {{}, rows_at(request.to, shape, shape.to_pitch, shape.to_slice)}},
                copies_.over_link(held->size(), false));
}

CopiedOut Service::on(const CopyOut& request) {
  if (const std::int32_t before = sticky()) return {{before, ""}, ""};
  if (is_nth(copies_asked_, settings_.failing_copy)) return {{kUnknown, ""}, ""};
  if (const auto error = check_rows(request.from, request.shape, request.shape.from_pitch,
                                    request.shape.from_slice))
    return {{error, ""}, ""};
  const Shape shape = joined(request.shape);
  std::string bytes(bytes_of(shape), '\0');
  let_copies_arrive(request.order.stream);
  if (settings_.checks.initcheck)
    after(request.order.stream, [this, request, shape] {
      if (!is_unwritten(request.from, shape)) return;
      const std::lock_guard lock(mutex_);
      record_.unwritten.push_back({request.order.call, request.from, bytes_of(shape)});
    });
  for_rows(shape, [&](std::uint64_t packed, std::uint64_t, std::uint64_t from) {
    const auto row = std::as_writable_bytes(std::span(bytes)).subspan(packed, shape.width);
    (void)device_.copy_out(row, request.from + from, Stream{request.order.stream});
  });
  Order order = request.order;
  order.wait = true;  // the bytes travel with the answer
  Answer answer =
      copied(order,
             {.engine = Engine::copy_out,
              .bytes = bytes.size(),
              .pageable = true,
              .footprint = {rows_at(request.from, shape, shape.from_pitch, shape.from_slice), {}}},
             copies_.over_link(bytes.size(), false));
  return {std::move(answer), std::move(bytes)};
}

Answer Service::on(const Copy& request) {
  if (const std::int32_t before = sticky()) return {before, ""};
  if (const auto error =
          check_rows(request.to, request.shape, request.shape.to_pitch, request.shape.to_slice))
    return {error, ""};
  if (const auto error = check_rows(request.from, request.shape, request.shape.from_pitch,
                                    request.shape.from_slice))
    return {error, ""};
  const Shape shape = joined(request.shape);
  let_copies_arrive(request.order.stream);
  const auto target = rows_at(request.to, shape, shape.to_pitch, shape.to_slice);
  const auto old = std::make_shared<std::vector<HeldRow>>();
  const bool is_late = settings_.late_copies && request.to_host;
  if (is_late)
    after(request.order.stream,
          [this, old, target] { *old = held_rows(device_.memory(), target); });
  for_rows(shape, [&](std::uint64_t, std::uint64_t to, std::uint64_t from) {
    (void)device_.copy(request.to + to, request.from + from, shape.width,
                       Stream{request.order.stream});
  });
  const std::uint64_t bytes = bytes_of(shape);
  const bool over_link = request.to_host != request.from_host;
  const Engine engine = !over_link          ? Engine::copy
                        : request.from_host ? Engine::copy_in
                                            : Engine::copy_out;
  return copied(
      request.order,
      {.engine = engine,
       .bytes = bytes,
       .footprint = {rows_at(request.from, shape, shape.from_pitch, shape.from_slice), target}},
      over_link ? copies_.over_link(bytes, true) : copies_.in_memory(2 * bytes), old);
}

Answer Service::on(const Fill& request) {
  if (const std::int32_t before = sticky()) return {before, ""};
  const bool known =
      request.element_bytes == 1 || request.element_bytes == 2 || request.element_bytes == 4;
  if (!known) return {kInvalidValue, ""};
  Shape shape = request.shape;
  shape.from_pitch = shape.to_pitch;
  shape.from_slice = shape.to_slice;
  if (const auto error = check_rows(request.to, shape, shape.to_pitch, shape.to_slice))
    return {error, ""};
  shape = joined(shape);
  let_copies_arrive(request.order.stream);
  const Stream stream{request.order.stream};
  if (request.element_bytes == 1) {
    for_rows(shape, [&](std::uint64_t, std::uint64_t to, std::uint64_t) {
      (void)device_.fill(request.to + to, std::byte(request.value), shape.width, stream);
    });
  } else {
    const auto row = std::make_shared<const std::string>(
        repeated(request.value, request.element_bytes, shape.width));
    for_rows(shape, [&](std::uint64_t, std::uint64_t to, std::uint64_t) {
      (void)device_.copy_in(request.to + to, std::as_bytes(std::span(*row)), stream);
    });
    after(stream.id, [row] {});
  }
  return copied(request.order,
                {.engine = Engine::fill,
                 .bytes = bytes_of(shape),
                 .footprint = {{}, rows_at(request.to, shape, shape.to_pitch, shape.to_slice)}},
                copies_.in_memory(bytes_of(shape)));
}

Counted Service::on(const CountMemory& request) {
  if (request.device >= used_.size()) return {kInvalidValue, 0, 0};
  const std::lock_guard lock(mutex_);
  const std::uint64_t total = settings_.gpu.global_bytes;
  return {sticky_, total - used_[request.device], total};
}

// Kernels

Answer Service::on(const LaunchKernel& request) {
  if (const std::int32_t before = sticky()) return {before, ""};
  const auto module = module_of(request.module);
  if (!module || request.kernel >= module->kernels().size()) return {kInvalidDeviceFunction, ""};
  if (is_nth(launches_, settings_.failing_launch)) return {kLaunchOutOfResources, ""};
  const KernelInfo& kernel = module->kernels()[request.kernel];
  if (settings_.leave_kernels_out || kernel.name == settings_.kernel_left_out) return {};
  Launch launch;
  launch.module = module;
  launch.kernel = kernel.mangled;
  launch.grid = request.grid;
  launch.block = request.block;
  launch.cluster = request.cluster;
  launch.dynamic_shared = request.dynamic_shared;
  launch.cooperative = request.cooperative;
  for (std::size_t i = 0; i < kernel.parameters.size() && i < request.arguments.size(); ++i)
    launch.arguments.push_back(argument_of(kernel.parameters[i], request.arguments[i]));
  static_cast<Checks&>(launch.observe) = settings_.checks;
  launch.observe.trace_accesses =
      std::max(settings_.traced_accesses, traces_for_races() ? kTracedAccesses : 0);
  launch.budget.seconds = settings_.kernel_seconds;
  launch.estimate.wanted = true;
  launch.seed = settings_.seed;
  launch.stop = stop_.get_token();

  LaunchNote note;
  note.call = request.call;
  note.kernel = kernel.name;
  note.grid = request.grid;
  note.block = request.block;
  note.stream = request.stream;
  note.device = request.device;
  let_copies_arrive(request.stream);
  const LaunchTicket ticket = device_.launch(std::move(launch), Stream{request.stream});
  if (ticket.ready() && !ticket.wait()) {
    note.error = ticket.wait().error();
    note.cuda_error = cuda_error_of(note.error->code);
    const std::lock_guard lock(mutex_);
    const std::int32_t error = note.cuda_error != kSuccess ? note.cuda_error : kUnknown;
    record_.launches.push_back(std::move(note));
    return {error, ""};
  }
  after(request.stream, [this, ticket, made = std::move(note), host = host_past()]() mutable {
    finish_launch(std::move(made), ticket, host);
  });
  return {};
}

bool Service::traces_for_races() const {
  const std::lock_guard lock(mutex_);
  return settings_.checks.racecheck && has_streams_;
}

StreamOrder::Past Service::host_past() const {
  const std::lock_guard lock(mutex_);
  return order_.host();
}

void Service::let_copies_arrive(std::uint32_t stream) {
  if (!settings_.late_copies) return;
  after(stream, [this, stream, host = host_past()] {
    const std::lock_guard lock(mutex_);
    late_copies_.arrive(device_.memory(), order_.before(stream, host));
  });
}

void Service::finish_launch(LaunchNote note, const LaunchTicket& ticket,
                            const StreamOrder::Past& host) {
  const auto& result = ticket.wait();
  if (result && settings_.on_launch) settings_.on_launch(note, **result, device_.memory());
  if (result && settings_.spoil_stores) spoil(device_.memory(), stored_by(**result));
  const std::lock_guard lock(mutex_);
  const Interval asked = host_calls();
  if (!result) {
    note.error = result.error();
    note.cuda_error = cuda_error_of(note.error->code);
  } else {
    const LaunchRecord& record = **result;
    note.thread_instructions = record.total.thread_instructions;
    note.estimate = record.estimate;
    note.findings = record.findings;
    note.findings_total = record.findings_total;
    note.error = record.error;
    note.cuda_error = failure_of(record);
    output_ += record.output;
    record_.samples.try_emplace(note.kernel, *result);
    if (record.error && record.error->code == ErrorCode::assertion)
      complaints_ += assertion_line(*record.error, note.grid, note.block);
  }
  if (sticky_ == kSuccess) sticky_ = note.cuda_error;
  const auto& estimate = note.estimate;
  const Duration duration =
      estimate ? Duration{estimate->seconds, estimate->low, estimate->high} : Duration{};
  const double share = estimate ? std::min(1.0, estimate->waves) : 1;
  record_.operations.push_back({.call = note.call,
                                .engine = Engine::kernel,
                                .stream = note.stream,
                                .asked = asked,
                                .time = clock_.run(note.stream, Engine::kernel, duration, share),
                                .launch = record_.launches.size(),
                                .past = order_.add(note.stream, host),
                                .footprint = result ? footprint_of(**result) : Footprint{}});
  record_.launches.push_back(std::move(note));
}

Fits Service::on(const AskOccupancy& request) {
  const auto module = module_of(request.module);
  if (!module || request.kernel >= module->kernels().size()) return {kInvalidDeviceFunction, 0};
  const auto fits = device_.occupancy(*module, module->kernels()[request.kernel].mangled,
                                      request.threads, request.dynamic_shared);
  if (!fits) return {cuda_error_of(fits.error().code), 0};
  return {kSuccess, fits->blocks};
}

// Streams and events

Answer Service::on(const Synchronise& request) {
  if (request.stream) {
    wait_for(*request.stream, request.call);
  } else {
    (void)device_.synchronise();
    const std::lock_guard lock(mutex_);
    const Interval time = clock_([](DeviceClock& clock) { return clock.wait_all(); });
    order_.host_waits_for_all();
    late_copies_.arrive(device_.memory(), order_.host());
    record_.waits.push_back({request.call, record_.operations.size(), {}, time});
  }
  return waited();
}

Answer Service::on(const QueryStream& request) {
  const std::lock_guard lock(mutex_);
  if (sticky_ != kSuccess) return {sticky_, ""};
  const bool busy = request.stream == 0
                        ? std::ranges::any_of(pending_, [](const auto& p) { return p.second != 0; })
                        : pending_[request.stream] != 0;
  if (!busy) {
    order_.host_waits(request.stream);
    late_copies_.arrive(device_.memory(), order_.host());
  }
  return {busy ? kNotReady : kSuccess, ""};
}

NewStream Service::on(const CreateStream& request) {
  if (const std::int32_t before = sticky()) return {before, 0};
  const auto stream = device_.create_stream();
  if (!stream) return {cuda_error_of(stream.error().code), 0};
  const std::lock_guard lock(mutex_);
  has_streams_ = true;
  if (!request.blocking) {
    clock_([id = stream->id](DeviceClock& clock) { clock.make_independent(id); });
    order_.make_independent(stream->id);
  }
  return {kSuccess, stream->id};
}

Answer Service::on(const DestroyStream&) {
  // The stream's work goes on, and its number is not used again: there is nothing to give back.
  return {sticky(), ""};
}

Answer Service::on(const RecordEvent& request) {
  if (const std::int32_t before = sticky()) return {before, ""};
  {
    const std::lock_guard lock(mutex_);
    ++events_[request.event].recorded;
  }
  after(request.stream, [this, request] {
    const std::lock_guard lock(mutex_);
    host_calls();
    EventNote& event = events_[request.event];
    ++event.done;
    order_.record_event(request.event, request.stream);
    event.seconds = std::max(clock_.estimated().time_of(request.stream), clock_.estimated().host());
  });
  return {};
}

Answer Service::on(const WaitEvent& request) {
  if (const std::int32_t before = sticky()) return {before, ""};
  // Work runs in the order in which it was asked for, so that what the event stands for is done before; the clock is to know it, too.
  after(request.stream, [this, request] {
    const std::lock_guard lock(mutex_);
    const double seconds = events_[request.event].seconds;
    clock_([&](DeviceClock& clock) { clock.hold(request.stream, seconds); });
    order_.wait_for_event(request.stream, request.event);
  });
  return {};
}

EventState Service::on(const AskEvent& request) {
  std::unique_lock lock(mutex_);
  const std::uint64_t wanted = events_[request.event].recorded;
  const auto complete = [&] { return events_[request.event].done >= wanted; };
  if (request.wait) {
    changed_.wait(lock, [&] { return complete() || hung_up_; });
    const double seconds = events_[request.event].seconds;
    const Interval time =
        clock_([seconds](DeviceClock& clock) { return clock.wait_until(seconds); });
    record_.waits.push_back({request.call, record_.operations.size(), {}, time});
  }
  const EventNote& event = events_[request.event];
  EventState state;
  state.answer.error = sticky_;
  if (request.wait) {
    state.answer.output = std::exchange(output_, {});
    state.answer.complaints = std::exchange(complaints_, {});
  }
  state.recorded = event.recorded != 0;
  state.complete = event.done == event.recorded;
  if (state.complete) {
    order_.host_waits_for_event(request.event);
    late_copies_.arrive(device_.memory(), order_.host());
  }
  state.seconds = event.seconds;
  return state;
}

Answer Service::on(const QueueHostFunction& request) {
  if (const std::int32_t before = sticky()) return {before, ""};
  let_copies_arrive(request.stream);
  after(request.stream, [this, request, host = host_past()] {
    Packet packet;
    if (callbacks_.send(0,
                        to_bytes(CallHostFunction{request.function, request.argument, sticky()})))
      (void)callbacks_.receive(packet);
    const std::lock_guard lock(mutex_);
    const Interval asked = host_calls();
    record_.operations.push_back({.call = request.call,
                                  .engine = Engine::host,
                                  .stream = request.stream,
                                  .asked = asked,
                                  .time = clock_.run(request.stream, Engine::host, {}),
                                  .past = order_.add(request.stream, host),
                                  .footprint = {}});
  });
  return {};
}

// Arrays and objects

NewArray Service::on(const CreateArray& request) {
  if (const std::int32_t before = sticky()) return {before, 0, 0, {}};
  ArrayDescription description = request.array;
  description.name = name_of_memory(request.call);
  const auto array = device_.create_array(description);
  if (!array) return {cuda_error_of(array.error().code), 0, 0, {}};
  const auto state = device_.array_of(*array);
  if (!state) return {cuda_error_of(state.error().code), 0, 0, {}};
  NewArray made{kSuccess, array->handle, state->bytes, {}};
  for (const TexelLevel& l : state->levels)
    made.levels.push_back({l.address, l.width, l.height, l.planes, l.row_bytes, l.plane_bytes});
  allocated({state->address,
             state->bytes,
             MemoryKind::device,
             request.call,
             {},
             std::move(description.name),
             request.device});
  return made;
}

NewObject Service::on(const ViewLevel& request) {
  if (const std::int32_t before = sticky()) return {before, 0};
  const auto view = device_.view_level(Array{request.array}, request.level);
  if (!view) return {cuda_error_of(view.error().code), 0};
  return {kSuccess, view->handle};
}

NewObject Service::on(const CreateTexture& request) {
  if (const std::int32_t before = sticky()) return {before, 0};
  const auto texture = device_.create_texture(request.texture);
  if (!texture) return {cuda_error_of(texture.error().code), 0};
  return {kSuccess, texture->handle};
}

NewObject Service::on(const CreateSurface& request) {
  if (const std::int32_t before = sticky()) return {before, 0};
  const auto surface = device_.create_surface(Array{request.array}, 0);
  if (!surface) return {cuda_error_of(surface.error().code), 0};
  return {kSuccess, surface->handle};
}

Answer Service::on(const DestroyObject& request) {
  if (const std::int32_t before = sticky()) return {before, ""};
  if (request.kind != ObjectKind::array) {
    const auto destroyed = request.kind == ObjectKind::texture
                               ? device_.destroy(Texture{request.handle})
                               : device_.destroy(Surface{request.handle});
    return {destroyed ? kSuccess : cuda_error_of(destroyed.error().code), ""};
  }
  const auto state = device_.array_of(Array{request.handle});
  if (!state) return {cuda_error_of(state.error().code), ""};
  wait_for(0, request.call);
  if (const auto destroyed = device_.destroy(Array{request.handle}); !destroyed)
    return {cuda_error_of(destroyed.error().code), ""};
  freed(state->address, request.call);
  return waited();
}

ProgramRecord Service::end() {
  hang_up();
  (void)device_.synchronise();
  const std::lock_guard lock(mutex_);
  clock_([](DeviceClock& clock) { return clock.wait_all(); });
  record_.device_time = clock_.host();
  record_.unseen_output = std::exchange(output_, {});
  return std::move(record_);
}

}  // namespace warpbook::device::runtime
