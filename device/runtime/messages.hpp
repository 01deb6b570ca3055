// What a program's runtime library asks of the process that runs its kernels, and what it is answered. Each host thread has a
// channel of its own, on which requests and answers alternate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "device/device.hpp"
#include "device/wire/fields.hpp"

namespace warpbook::device::runtime {

/// The environment variable in which the library finds the numbers of two descriptors: its first channel and the call log.
inline constexpr const char* kConnectionVariable = "WARPBOOK_RUNTIME";

/// The end of a request: a cudaError_t, and what kernels printed that the program has not been given yet.
struct Answer {
  std::int32_t error = 0;
  std::string output;
  std::string complaints;  ///< for standard error: assertions that failed
};
template <class V>
void fields(V&& visit, Is<Answer> auto& v) {
  visit("error", v.error);
  visit("output", v.output);
  visit("complaints", v.complaints);
}

/// The first request. The answer brings the memory in which the devices' global memory lies.
struct Welcome {
  Properties gpu;
  std::uint32_t devices = 1;
  std::uint64_t memory_bytes = 0;  ///< from kGlobalBase on
};
template <class V>
void fields(V&& visit, Is<Welcome> auto& v) {
  visit("gpu", v.gpu);
  visit("devices", v.devices);
  visit("memory_bytes", v.memory_bytes);
}
struct Hello {
  using Reply = Welcome;
  std::int32_t process = 0;
};
template <class V>
void fields(V&& visit, Is<Hello> auto& v) {
  visit("process", v.process);
}

/// Another host thread's channel, which travels with the message. It is answered so that no request overtakes it.
struct AddChannel {
  using Reply = Answer;
  bool callbacks = false;  ///< on this one the service asks for host functions to be called
};
template <class V>
void fields(V&& visit, Is<AddChannel> auto& v) {
  visit("callbacks", v.callbacks);
}

struct KernelDescription {
  std::string mangled;
  std::string name;
  std::vector<std::uint32_t> parameter_bytes;
  std::vector<std::uint32_t> parameter_offsets;  ///< where arguments are one buffer
  std::uint32_t static_shared = 0, local_bytes = 0, max_threads = 0;
  std::optional<std::uint32_t> registers;
};
template <class V>
void fields(V&& visit, Is<KernelDescription> auto& v) {
  visit("mangled", v.mangled);
  visit("name", v.name);
  visit("parameter_bytes", v.parameter_bytes);
  visit("parameter_offsets", v.parameter_offsets);
  visit("static_shared", v.static_shared);
  visit("local_bytes", v.local_bytes);
  visit("max_threads", v.max_threads);
  visit("registers", v.registers);
}
struct Loaded {
  std::int32_t error = 0;
  std::uint32_t module = 0;
  std::vector<KernelDescription> kernels;
  std::string log;  ///< what is wrong with the code, in words
};
template <class V>
void fields(V&& visit, Is<Loaded> auto& v) {
  visit("error", v.error);
  visit("module", v.module);
  visit("kernels", v.kernels);
  visit("log", v.log);
}
/// Code to load: fat binaries as they lie in the program, or PTX. Several are the parts of one program, to be linked: what nvcc
/// compiled with -rdc=true, or what the program gives to the driver's linker.
struct Load {
  using Reply = Loaded;
  std::vector<std::string> images;
};
template <class V>
void fields(V&& visit, Is<Load> auto& v) {
  visit("images", v.images);
}

struct MemoryPlace {
  std::int32_t error = 0;
  std::uint64_t address = 0, bytes = 0;
};
template <class V>
void fields(V&& visit, Is<MemoryPlace> auto& v) {
  visit("error", v.error);
  visit("address", v.address);
  visit("bytes", v.bytes);
}
/// A module's variable.
struct FindVariable {
  using Reply = MemoryPlace;
  std::uint32_t module = 0;
  std::string name;
};
template <class V>
void fields(V&& visit, Is<FindVariable> auto& v) {
  visit("module", v.module);
  visit("name", v.name);
}

enum class MemoryKind : std::uint8_t { device, managed, pinned };
constexpr auto enum_names(MemoryKind) {
  return checked_names<MemoryKind>("device", "managed", "pinned");
}
struct Allocate {
  using Reply = MemoryPlace;
  MemoryKind kind = MemoryKind::device;
  std::uint64_t bytes = 0;
  std::uint64_t call = 0;  ///< its number in the call log
  std::uint32_t device = 0;
};
template <class V>
void fields(V&& visit, Is<Allocate> auto& v) {
  visit("kind", v.kind);
  visit("bytes", v.bytes);
  visit("call", v.call);
  visit("device", v.device);
}
/// Waits for all work first, as cudaFree does, unless it is `ordered`: then it happens in the stream.
struct Release {
  using Reply = Answer;
  std::uint64_t address = 0, call = 0;
  bool ordered = false;
  std::uint32_t stream = 0;
};
template <class V>
void fields(V&& visit, Is<Release> auto& v) {
  visit("address", v.address);
  visit("call", v.call);
  visit("ordered", v.ordered);
  visit("stream", v.stream);
}

/// Rows of `width` bytes, `height` to a slice, `depth` slices; pitches in bytes.
struct Shape {
  std::uint64_t width = 0, height = 1, depth = 1;
  std::uint64_t to_pitch = 0, to_slice = 0, from_pitch = 0, from_slice = 0;
};
template <class V>
void fields(V&& visit, Is<Shape> auto& v) {
  visit("width", v.width);
  visit("height", v.height);
  visit("depth", v.depth);
  visit("to_pitch", v.to_pitch);
  visit("to_slice", v.to_slice);
  visit("from_pitch", v.from_pitch);
  visit("from_slice", v.from_slice);
}
inline std::uint64_t bytes_of(const Shape& shape) {
  return shape.width * shape.height * shape.depth;
}
/// For each row: where it is among packed rows, and its offsets on both sides.
template <class F>
void for_rows(const Shape& shape, const F& row) {
  std::uint64_t packed = 0;
  for (std::uint64_t z = 0; z < shape.depth; ++z) {
    for (std::uint64_t y = 0; y < shape.height; ++y) {
      row(packed, z * shape.to_slice + y * shape.to_pitch,
          z * shape.from_slice + y * shape.from_pitch);
      packed += shape.width;
    }
  }
}
/// How a copy or a fill is queued.
struct Order {
  std::uint32_t stream = 0;
  bool wait = true;  ///< the answer comes when it is done
  std::uint64_t call = 0;
};
template <class V>
void fields(V&& visit, Is<Order> auto& v) {
  visit("stream", v.stream);
  visit("wait", v.wait);
  visit("call", v.call);
}
/// `bytes` are the rows one after the other.
struct CopyIn {
  using Reply = Answer;
  std::uint64_t to = 0;
  Shape shape;
  Order order;
  std::string bytes;
};
template <class V>
void fields(V&& visit, Is<CopyIn> auto& v) {
  visit("to", v.to);
  visit("shape", v.shape);
  visit("order", v.order);
  visit("bytes", v.bytes);
}
struct CopiedOut {
  Answer answer;
  std::string bytes;  ///< the rows one after the other
};
template <class V>
void fields(V&& visit, Is<CopiedOut> auto& v) {
  visit("answer", v.answer);
  visit("bytes", v.bytes);
}
struct CopyOut {
  using Reply = CopiedOut;
  std::uint64_t from = 0;
  Shape shape;
  Order order;
};
template <class V>
void fields(V&& visit, Is<CopyOut> auto& v) {
  visit("from", v.from);
  visit("shape", v.shape);
  visit("order", v.order);
}
/// Between addresses that the devices see: device, managed and pinned memory.
struct Copy {
  using Reply = Answer;
  std::uint64_t to = 0, from = 0;
  Shape shape;
  Order order;
  bool to_host = false, from_host = false;  ///< that side is pinned memory
};
template <class V>
void fields(V&& visit, Is<Copy> auto& v) {
  visit("to", v.to);
  visit("from", v.from);
  visit("shape", v.shape);
  visit("order", v.order);
  visit("to_host", v.to_host);
  visit("from_host", v.from_host);
}
/// With elements of 1, 2 or 4 bytes; the shape is in bytes.
struct Fill {
  using Reply = Answer;
  std::uint64_t to = 0;
  std::uint32_t value = 0, element_bytes = 1;
  Shape shape;
  Order order;
};
template <class V>
void fields(V&& visit, Is<Fill> auto& v) {
  visit("to", v.to);
  visit("value", v.value);
  visit("element_bytes", v.element_bytes);
  visit("shape", v.shape);
  visit("order", v.order);
}

struct LaunchKernel {
  using Reply = Answer;
  std::uint32_t module = 0, kernel = 0;  ///< the kernel's place in Loaded::kernels
  Dim3 grid, block, cluster;
  std::uint32_t dynamic_shared = 0;
  std::uint32_t shared_limit = 0;  ///< what cudaFuncSetAttribute allowed; 0: 48 KB
  bool cooperative = false;
  std::vector<std::string> arguments;
  std::uint32_t stream = 0;
  std::uint64_t call = 0;
  std::uint32_t device = 0;  ///< the current one when the host asked
};
template <class V>
void fields(V&& visit, Is<LaunchKernel> auto& v) {
  visit("module", v.module);
  visit("kernel", v.kernel);
  visit("grid", v.grid);
  visit("block", v.block);
  visit("cluster", v.cluster);
  visit("dynamic_shared", v.dynamic_shared);
  visit("shared_limit", v.shared_limit);
  visit("cooperative", v.cooperative);
  visit("arguments", v.arguments);
  visit("stream", v.stream);
  visit("call", v.call);
  visit("device", v.device);
}

struct Synchronise {
  using Reply = Answer;
  std::optional<std::uint32_t> stream;  ///< none: all
  std::uint64_t call = 0;
};
template <class V>
void fields(V&& visit, Is<Synchronise> auto& v) {
  visit("stream", v.stream);
  visit("call", v.call);
}
/// cudaErrorNotReady while work of the stream is under way.
struct QueryStream {
  using Reply = Answer;
  std::uint32_t stream = 0;
};
template <class V>
void fields(V&& visit, Is<QueryStream> auto& v) {
  visit("stream", v.stream);
}
struct NewStream {
  std::int32_t error = 0;
  std::uint32_t stream = 0;
};
template <class V>
void fields(V&& visit, Is<NewStream> auto& v) {
  visit("error", v.error);
  visit("stream", v.stream);
}
struct CreateStream {
  using Reply = NewStream;
  bool blocking = true;
};
template <class V>
void fields(V&& visit, Is<CreateStream> auto& v) {
  visit("blocking", v.blocking);
}
struct DestroyStream {
  using Reply = Answer;
  std::uint32_t stream = 0;
};
template <class V>
void fields(V&& visit, Is<DestroyStream> auto& v) {
  visit("stream", v.stream);
}

/// Events are numbered by the library.
struct RecordEvent {
  using Reply = Answer;
  std::uint32_t event = 0, stream = 0;
  std::uint64_t call = 0;
};
template <class V>
void fields(V&& visit, Is<RecordEvent> auto& v) {
  visit("event", v.event);
  visit("stream", v.stream);
  visit("call", v.call);
}
struct WaitEvent {
  using Reply = Answer;
  std::uint32_t event = 0, stream = 0;
};
template <class V>
void fields(V&& visit, Is<WaitEvent> auto& v) {
  visit("event", v.event);
  visit("stream", v.stream);
}
/// Of an event's last record. An event that was never recorded is complete.
struct EventState {
  Answer answer;
  bool recorded = false, complete = false;
  double seconds = 0;  ///< on the estimated clock of the device, once complete
};
template <class V>
void fields(V&& visit, Is<EventState> auto& v) {
  visit("answer", v.answer);
  visit("recorded", v.recorded);
  visit("complete", v.complete);
  visit("seconds", v.seconds);
}
struct AskEvent {
  using Reply = EventState;
  std::uint32_t event = 0;
  bool wait = false;
  std::uint64_t call = 0;
};
template <class V>
void fields(V&& visit, Is<AskEvent> auto& v) {
  visit("event", v.event);
  visit("wait", v.wait);
  visit("call", v.call);
}

/// A function of the program to be called in the stream's order.
struct QueueHostFunction {
  using Reply = Answer;
  std::uint64_t function = 0, argument = 0;
  std::uint32_t stream = 0;
  std::uint64_t call = 0;
};
template <class V>
void fields(V&& visit, Is<QueueHostFunction> auto& v) {
  visit("function", v.function);
  visit("argument", v.argument);
  visit("stream", v.stream);
  visit("call", v.call);
}
/// On the channel for callbacks, from the service to the program.
struct CallHostFunction {
  using Reply = Answer;
  std::uint64_t function = 0, argument = 0;
  std::int32_t error = 0;  ///< of kernels before it
};
template <class V>
void fields(V&& visit, Is<CallHostFunction> auto& v) {
  visit("function", v.function);
  visit("argument", v.argument);
  visit("error", v.error);
}

struct Counted {
  std::int32_t error = 0;
  std::uint64_t free = 0, total = 0;
};
template <class V>
void fields(V&& visit, Is<Counted> auto& v) {
  visit("error", v.error);
  visit("free", v.free);
  visit("total", v.total);
}
struct CountMemory {
  using Reply = Counted;
  std::uint32_t device = 0;
};
template <class V>
void fields(V&& visit, Is<CountMemory> auto& v) {
  visit("device", v.device);
}

struct Fits {
  std::int32_t error = 0;
  std::uint32_t blocks = 0;
};
template <class V>
void fields(V&& visit, Is<Fits> auto& v) {
  visit("error", v.error);
  visit("blocks", v.blocks);
}
/// How many blocks of a kernel fit on a multiprocessor.
struct AskOccupancy {
  using Reply = Fits;
  std::uint32_t module = 0, kernel = 0, threads = 0, dynamic_shared = 0;
};
template <class V>
void fields(V&& visit, Is<AskOccupancy> auto& v) {
  visit("module", v.module);
  visit("kernel", v.kernel);
  visit("threads", v.threads);
  visit("dynamic_shared", v.dynamic_shared);
}

struct NewObject {
  std::int32_t error = 0;
  std::uint64_t handle = 0;
};
template <class V>
void fields(V&& visit, Is<NewObject> auto& v) {
  visit("error", v.error);
  visit("handle", v.handle);
}
/// One level of an array as it lies in device memory: rows of texels, then planes of rows. Copies go by these addresses.
struct ArrayLevel {
  std::uint64_t address = 0;
  std::uint32_t width = 1, height = 1, planes = 1;
  std::uint64_t row_bytes = 0, plane_bytes = 0;
};
template <class V>
void fields(V&& visit, Is<ArrayLevel> auto& v) {
  visit("address", v.address);
  visit("width", v.width);
  visit("height", v.height);
  visit("planes", v.planes);
  visit("row_bytes", v.row_bytes);
  visit("plane_bytes", v.plane_bytes);
}
struct NewArray {
  std::int32_t error = 0;
  std::uint64_t handle = 0, bytes = 0;
  std::vector<ArrayLevel> levels;
};
template <class V>
void fields(V&& visit, Is<NewArray> auto& v) {
  visit("error", v.error);
  visit("handle", v.handle);
  visit("bytes", v.bytes);
  visit("levels", v.levels);
}
struct CreateArray {
  using Reply = NewArray;
  ArrayDescription array;
  std::uint64_t call = 0;
  std::uint32_t device = 0;
};
template <class V>
void fields(V&& visit, Is<CreateArray> auto& v) {
  visit("array", v.array);
  visit("call", v.call);
  visit("device", v.device);
}
/// One level of a mipmapped array, as an array that textures and surfaces can be made of. It goes with the whole one.
struct ViewLevel {
  using Reply = NewObject;
  std::uint64_t array = 0;
  std::uint32_t level = 0;
};
template <class V>
void fields(V&& visit, Is<ViewLevel> auto& v) {
  visit("array", v.array);
  visit("level", v.level);
}
struct CreateTexture {
  using Reply = NewObject;
  TextureDescription texture;
};
template <class V>
void fields(V&& visit, Is<CreateTexture> auto& v) {
  visit("texture", v.texture);
}
struct CreateSurface {
  using Reply = NewObject;
  std::uint64_t array = 0;
};
template <class V>
void fields(V&& visit, Is<CreateSurface> auto& v) {
  visit("array", v.array);
}
enum class ObjectKind : std::uint8_t { array, texture, surface };
constexpr auto enum_names(ObjectKind) {
  return checked_names<ObjectKind>("array", "texture", "surface");
}
struct DestroyObject {
  using Reply = Answer;
  ObjectKind kind = ObjectKind::array;
  std::uint64_t handle = 0, call = 0;
};
template <class V>
void fields(V&& visit, Is<DestroyObject> auto& v) {
  visit("kind", v.kind);
  visit("handle", v.handle);
  visit("call", v.call);
}

using Request =
    std::variant<Hello, AddChannel, Load, FindVariable, Allocate, Release, CopyIn, CopyOut, Copy,
                 Fill, LaunchKernel, Synchronise, QueryStream, CreateStream, DestroyStream,
                 RecordEvent, WaitEvent, AskEvent, QueueHostFunction, CountMemory, AskOccupancy,
                 CreateArray, ViewLevel, CreateTexture, CreateSurface, DestroyObject>;

}  // namespace warpbook::device::runtime
