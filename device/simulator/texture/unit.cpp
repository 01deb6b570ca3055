#include "device/simulator/texture/unit.hpp"

#include <bit>

#include <fmt/format.h>

#include "device/simulator/isa/code.hpp"
#include "device/simulator/state/context.hpp"
#include "device/simulator/state/launch_observer.hpp"
#include "device/simulator/state/loaded_module.hpp"

namespace warpbook::device {

const TextureUnit::Found& TextureUnit::find(std::uint64_t handle,
                                            const AllocationTable& allocations) {
  if (known_ && handle == last_) return found_;
  known_ = true;
  last_ = handle;
  bool destroyed = false;
  found_ = {table_->find(handle, destroyed), ErrorCode::no_such_object, {}};
  if (!found_.object) {
    if (destroyed)
      found_ = {nullptr, ErrorCode::destroyed_object, {"phrase.after.destroyed", {}, {}}};
    return found_;
  }
  const Allocation* memory = allocations.at(found_.object->memory);
  if (!memory || memory->freed || memory->end() < found_.object->memory_end) {
    found_ = {nullptr,
              ErrorCode::destroyed_object,
              {"phrase.after.memory-freed", {{"name", found_.object->name}}, {}}};
  }
  return found_;
}

void report_texture(const DecodedInstruction& o, Context& c, ErrorCode code, int lane,
                    AccessKind kind, std::uint64_t address, std::uint32_t bytes,
                    MessageArguments words) {
  LaunchObserver& observer = *c.observer;
  RawFinding finding;
  finding.code = code;
  finding.block = c.block_index;
  finding.thread = c.thread_of(lane);
  finding.instruction = o.index;
  finding.kind = kind;
  finding.space = Space::texture;
  finding.address = address;
  finding.bytes = bytes;
  finding.table = observer.table;
  finding.words = std::move(words);
  observer.find(std::move(finding));
}

namespace {

std::string text_of(const DecodedInstruction& o, const Context& c) {
  return std::string(c.module->parsed().text_of(*c.code->instructions[o.index].source));
}

/// The words of a finding are only made if the finding will be kept.
bool is_full(const Context& c) { return c.observer->findings.size() >= LaunchObserver::kFindings; }

}  // namespace

const TextureObject* object_for(const DecodedInstruction& o, Context& c, std::uint64_t handle,
                                std::uint32_t lanes, bool surface, AccessKind kind) {
  const TextureUnit::Found& found = c.textures->find(handle, *c.observer->table);
  if (found.object && found.object->surface == surface) return found.object;
  if (found.object) {
    report_use(o, c, *found.object, lanes, surface ? "needs-surface" : "needs-texture");
    return nullptr;
  }
  for (std::uint32_t l = lanes; l != 0; l &= l - 1) {
    MessageArguments words;
    if (!is_full(c)) words = {{"instruction", text_of(o, c)}, {"what", found.what}};
    report_texture(o, c, found.problem, std::countr_zero(l), kind, handle, 0, std::move(words));
  }
  return nullptr;
}

void report_use(const DecodedInstruction& o, Context& c, const TextureObject& object,
                std::uint32_t lanes, std::string_view why) {
  for (std::uint32_t l = lanes; l != 0; l &= l - 1) {
    MessageArguments words;
    if (!is_full(c)) {
      words = {{"instruction", text_of(o, c)},
               {"object", fmt::format("{} ({})", object.name, name_of(object.shape))},
               {"why", Message{"phrase.texture-use." + std::string(why), {}, {}}}};
    }
    report_texture(o, c, ErrorCode::texture_use, std::countr_zero(l), AccessKind::load, 0, 0,
                   std::move(words));
  }
}

}  // namespace warpbook::device
