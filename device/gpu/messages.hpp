// The messages between the owner of a GPU and the worker in which the driver runs.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.hpp"
#include "device/gpu/fault.hpp"
#include "device/measure.hpp"
#include "device/wire/bytes.hpp"

namespace warpbook::device::gpu {

/// Kinds of message: requests, of which `open` is the first, and for each request one answer: a value or a Failure.
enum class MessageKind : std::uint32_t {
  first = 200,
  open = first,     ///< nothing -> Opened
  load,             ///< LoadRequest -> vector<FunctionFacts>
  unload,           ///< Numbers: module
  global,           ///< SymbolRequest -> Numbers: address, bytes
  allocate,         ///< Numbers: bytes -> Numbers: address
  release,          ///< Numbers: address
  share,            ///< Numbers: memory, bytes; the memory itself comes along
  unshare,          ///< Numbers: memory
  copy_in,          ///< Numbers: to, memory, offset, bytes
  copy_out,         ///< Numbers: from, memory, offset, bytes
  copy,             ///< Numbers: to, from, bytes
  fill,             ///< Numbers: to, value, bytes
  launch,           ///< LaunchRequest -> LaunchReply
  occupancy,        ///< OccupancyRequest -> Numbers: blocks
  time,             ///< TimeRequest -> vector<Timing>
  create_array,     ///< ArrayRequest
  destroy_array,    ///< Numbers: array
  copy_in_array,    ///< ArrayCopy
  copy_out_array,   ///< ArrayCopy
  create_texture,   ///< TextureRequest -> Numbers: handle
  destroy_texture,  ///< Numbers: handle
  create_surface,   ///< Numbers: array, level -> Numbers: handle
  destroy_surface,  ///< Numbers: handle
  last = destroy_surface,
  answer = 300,
  failed  ///< Failure
};

using Numbers = std::vector<std::uint64_t>;

struct Opened {
  Properties properties;
  std::string driver;  ///< "13.0"
  std::string file;    ///< libcuda.so.1
};
template <class V>
void fields(V&& visit, Is<Opened> auto& v) {
  visit("properties", v.properties);
  visit("driver", v.driver);
  visit("file", v.file);
}

struct LoadRequest {
  std::uint64_t module = 0;  ///< the owner's number for it
  std::string name, ptx;
  std::vector<std::string> functions;  ///< mangled
};
template <class V>
void fields(V&& visit, Is<LoadRequest> auto& v) {
  visit("module", v.module);
  visit("name", v.name);
  visit("ptx", v.ptx);
  visit("functions", v.functions);
}

/// The driver's facts about a function.
struct FunctionFacts {
  std::uint32_t registers = 0, static_shared = 0, local_bytes = 0, max_threads = 0;
};
template <class V>
void fields(V&& visit, Is<FunctionFacts> auto& v) {
  visit("registers", v.registers);
  visit("static_shared", v.static_shared);
  visit("local_bytes", v.local_bytes);
  visit("max_threads", v.max_threads);
}

struct SymbolRequest {
  std::uint64_t module = 0;
  std::string name;
};
template <class V>
void fields(V&& visit, Is<SymbolRequest> auto& v) {
  visit("module", v.module);
  visit("name", v.name);
}

struct LaunchRequest {
  std::uint64_t module = 0;
  std::string function;  ///< mangled
  std::string kernel;    ///< as the source says it, for errors
  Dim3 grid, block, cluster;
  std::uint32_t dynamic_shared = 0;
  bool cooperative = false;
  std::string parameters;          ///< packed
  std::uint64_t output_bytes = 0;  ///< 0: no bound
};
template <class V>
void fields(V&& visit, Is<LaunchRequest> auto& v) {
  visit("module", v.module);
  visit("function", v.function);
  visit("kernel", v.kernel);
  visit("grid", v.grid);
  visit("block", v.block);
  visit("cluster", v.cluster);
  visit("dynamic_shared", v.dynamic_shared);
  visit("cooperative", v.cooperative);
  visit("parameters", v.parameters);
  visit("output_bytes", v.output_bytes);
}

struct LaunchReply {
  double seconds = 0;              ///< between two events around it
  std::string output;              ///< the output of printf
  std::optional<Failure> failure;  ///< of a kernel that ran, and failed
};
template <class V>
void fields(V&& visit, Is<LaunchReply> auto& v) {
  visit("seconds", v.seconds);
  visit("output", v.output);
  visit("failure", v.failure);
}

struct OccupancyRequest {
  std::uint64_t module = 0;
  std::string function;
  std::uint32_t block_threads = 0, dynamic_shared = 0;
};
template <class V>
void fields(V&& visit, Is<OccupancyRequest> auto& v) {
  visit("module", v.module);
  visit("function", v.function);
  visit("block_threads", v.block_threads);
  visit("dynamic_shared", v.dynamic_shared);
}

struct ArrayRequest {
  std::uint64_t array = 0;  ///< the owner's number for it
  std::uint64_t bytes = 0;  ///< of its texels, for errors
  ArrayDescription description;
};
template <class V>
void fields(V&& visit, Is<ArrayRequest> auto& v) {
  visit("array", v.array);
  visit("bytes", v.bytes);
  visit("description", v.description);
}

struct TextureRequest {
  std::string name;                ///< of its memory, for errors
  TextureDescription description;  ///< whose array is the owner's number for it
};
template <class V>
void fields(V&& visit, Is<TextureRequest> auto& v) {
  visit("name", v.name);
  visit("description", v.description);
}

/// A box of one level, and the shared memory that holds its rows without gaps, x fastest.
struct ArrayCopy {
  std::uint64_t array = 0, memory = 0;
  ArrayRegion box;  ///< in texels, without zeros; its pitch is not used
};
template <class V>
void fields(V&& visit, Is<ArrayCopy> auto& v) {
  visit("array", v.array);
  visit("memory", v.memory);
  visit("box", v.box);
}

/// One of a variant's sets: so many bytes are set to 0 at each address, then all launches follow.
struct TimedSet {
  std::vector<LaunchRequest> launches;
  std::map<std::uint64_t, std::uint64_t> zeroed;
};
template <class V>
void fields(V&& visit, Is<TimedSet> auto& v) {
  visit("launches", v.launches);
  visit("zeroed", v.zeroed);
}

/// Variants that are timed in turns. A variant takes its sets one after another, so that inputs rotate.
struct TimeRequest {
  std::vector<std::vector<TimedSet>> variants;
  TimeLimits limits;
  bool hot = false;
};
template <class V>
void fields(V&& visit, Is<TimeRequest> auto& v) {
  visit("variants", v.variants);
  visit("limits", v.limits);
  visit("hot", v.hot);
}

}  // namespace warpbook::device::gpu
