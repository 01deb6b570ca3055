// A block runner's lookup of texture and surface handles, and the errors of it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "device/error.hpp"
#include "device/launch_record.hpp"
#include "device/simulator/state/memory.hpp"
#include "device/simulator/state/texture_objects.hpp"

namespace warpbook::device {

struct Context;
struct DecodedInstruction;

class TextureUnit {
 public:
  explicit TextureUnit(std::shared_ptr<const ObjectTable> table) : table_(std::move(table)) {}

  struct Found {
    const TextureObject* object = nullptr;  ///< its memory is there
    ErrorCode problem{};                    ///< where `object` is null
    Message what;                           ///< destroyed_object: what happened
  };
  /// Remembers the last answer, because nothing on which it depends changes while a kernel runs.
  const Found& find(std::uint64_t handle, const AllocationTable& allocations);

 private:
  const std::shared_ptr<const ObjectTable> table_;
  std::uint64_t last_ = 0;
  bool known_ = false;
  Found found_;
};

/// A finding about the handle or the coordinates of a lane. `words` are further arguments of the error.
void report_texture(const DecodedInstruction& operation, Context& context, ErrorCode code, int lane,
                    AccessKind kind, std::uint64_t address, std::uint32_t bytes,
                    MessageArguments words);

/// The object of a handle; null, after a finding for each of `lanes`, where it is not of the wanted kind.
const TextureObject* object_for(const DecodedInstruction& operation, Context& context,
                                std::uint64_t handle, std::uint32_t lanes, bool surface,
                                AccessKind kind);

/// texture_use for each of `lanes`.
void report_use(const DecodedInstruction& operation, Context& context, const TextureObject& object,
                std::uint32_t lanes, std::string_view why);

}  // namespace warpbook::device
