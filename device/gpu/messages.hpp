// What the owner of a GPU and the worker that the driver runs in say to each other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.hpp"
#include "device/gpu/fault.hpp"
#include "device/libraries/messages.hpp"

namespace warpbook::device::gpu {

/// Kinds of frame: requests, `open` first, and to each one answer: its value, or a Failure.
enum class Frame : std::uint32_t {
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

struct LoadRequest {
  std::uint64_t module = 0;  ///< the owner's number for it
  std::string name, ptx;
  std::vector<std::string> functions;  ///< mangled
};

/// What the driver made of a function.
struct FunctionFacts {
  std::uint32_t registers = 0, static_shared = 0, local_bytes = 0, max_threads = 0;
};

struct SymbolRequest {
  std::uint64_t module = 0;
  std::string name;
};

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

struct LaunchReply {
  double seconds = 0;              ///< between two events around it
  std::string output;              ///< what printf wrote
  std::optional<Failure> failure;  ///< of a kernel that ran, and failed
};

struct OccupancyRequest {
  std::uint64_t module = 0;
  std::string function;
  std::uint32_t block_threads = 0, dynamic_shared = 0;
};

struct ArrayRequest {
  std::uint64_t array = 0;  ///< the owner's number for it
  std::uint64_t bytes = 0;  ///< of its texels, for errors
  ArrayDescription description;
};

struct TextureRequest {
  std::string name;                ///< of its memory, for errors
  TextureDescription description;  ///< whose array is the owner's number for it
};

/// A box of one level, x fastest, and the shared memory where its rows lie without gaps.
struct ArrayCopy {
  std::uint64_t array = 0, memory = 0;
  ArrayRegion box;  ///< in texels, without zeros; its pitch is not used
};

/// Variants that are timed in turns. A run is all launches of one of a variant's sets, which it takes one after another, so
/// that inputs rotate.
struct TimeRequest {
  using Run = std::vector<LaunchRequest>;
  std::vector<std::vector<Run>> variants;
  libraries::TimeLimits limits;
  bool hot = false;
};

std::string to_bytes(const Numbers& numbers);
std::string to_bytes(const Opened& opened);
std::string to_bytes(const LoadRequest& request);
std::string to_bytes(const std::vector<FunctionFacts>& facts);
std::string to_bytes(const SymbolRequest& request);
std::string to_bytes(const LaunchRequest& request);
std::string to_bytes(const LaunchReply& reply);
std::string to_bytes(const OccupancyRequest& request);
std::string to_bytes(const ArrayRequest& request);
std::string to_bytes(const ArrayCopy& copy);
std::string to_bytes(const TextureRequest& request);
std::string to_bytes(const TimeRequest& request);
std::string to_bytes(const Failure& failure);

/// From bytes of another process: nothing where they are not exactly one value.
template <class T>
std::optional<T> from_bytes(std::string_view bytes);

}  // namespace warpbook::device::gpu
