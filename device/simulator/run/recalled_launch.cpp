#include "device/simulator/run/recalled_launch.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "device/simulator/state/memory.hpp"
#include "device/simulator/state/texture_objects.hpp"
#include "device/wire/bytes.hpp"

namespace warpbook::device {
namespace {

/// Of memory that is looked at for a launch.
constexpr std::uint64_t kMostBytes = 64u << 20;

std::vector<const Allocation*> in_use(const AllocationTable& table) {
  std::vector<const Allocation*> found;
  for (const Allocation& allocation : table.all()) {
    if (!allocation.freed) found.push_back(&allocation);
  }
  return found;
}

bool can_be_kept(const RunRequest& request, const std::vector<const Allocation*>& allocations) {
  const GlobalMemory& memory = request.module->memory();
  if (!request.observe.memcheck || memory.shared_fd() >= 0) return false;
  std::uint64_t bytes = 0;
  for (const Allocation* allocation : allocations) bytes += memory.bytes_to_look_at(*allocation);
  return bytes <= kMostBytes;
}

void write(ByteWriter& to, const Fingerprint& fingerprint) {
  to.write(fingerprint.low);
  to.write(fingerprint.high);
}

void write_question(ByteWriter& to, const RunRequest& request, const Fingerprint& program) {
  write(to, program);
  to.write(request.module->gpu().name);
  to.write(request.kernel);
  for (const Dim3& size : {request.grid, request.block, request.cluster}) to.write(size);
  to.write(request.dynamic_shared);
  to.write(request.cooperative);
  to.write(request.parameters);
  to.write(static_cast<const Checks&>(request.observe));
  to.write(request.observe.counters);
  to.write(request.observe.trace_accesses);
  const WatchedWarp& watched = request.observe.watched_warp;
  to.write(watched.block);
  to.write(watched.warp);
  to.write(watched.issues);
  to.write(request.observe.write_maps);
  to.write(request.budget.thread_instructions);
  to.write(request.budget.output_bytes);
  to.write(request.budget.drop_output);
  to.write(request.budget.memory_bytes);
  to.write(request.budget.seconds);
  to.write(request.estimate.wanted);
  to.write(request.estimate.blocks);
  to.write(request.seed);
  to.write(request.perturb_approximations);
  to.write(request.host_threads);
}

void write_object(ByteWriter& to, const TextureObject& object) {
  to.write(object.surface);
  to.write(object.name);
  to.write(static_cast<std::uint8_t>(object.shape));
  to.write(object.format);
  to.write(object.texel_bytes);
  to.write(object.mipmapped);
  for (const TexelLevel& level : object.levels) {
    for (const std::uint32_t extent : {level.width, level.height, level.planes}) to.write(extent);
    for (const std::uint64_t place : {level.address, level.row_bytes, level.plane_bytes})
      to.write(place);
  }
  for (const Pointer edge : {object.memory, object.memory_end}) to.write(edge);
  to.write(object.address_mode);
  for (const bool how : {object.linear_filter, object.normalised_coordinates,
                         object.linear_mip_filter, object.floating})
    to.write(how);
  // Which function it is matters, and functions stay where they are while the process runs.
  to.write(std::uint64_t{reinterpret_cast<std::uintptr_t>(object.unpack)});
  for (const std::uint32_t channel : object.border) to.write(channel);
  for (const float level : {object.mip_bias, object.mip_least, object.mip_most}) to.write(level);
}

/// Texture and surface objects; what they read and write is in allocations. Of destroyed ones, findings tell no more than that
/// they were there.
void write_objects(ByteWriter& to, const ObjectTable& objects) {
  to.write(objects.made());
  for (const auto& [handle, object] : objects.all()) {
    to.write(handle);
    write_object(to, *object);
  }
}

/// Of all that a launch depends on; `contents`: of the allocations in use. Freed ones are part of it, too: findings name them.
Fingerprint name_of(const RunRequest& request, const Fingerprint& program,
                    const AllocationTable& table, std::span<const Fingerprint> contents) {
  ByteWriter question;
  write_question(question, request, program);
  write_objects(question, *request.module->memory().objects().table());
  for (const Allocation& allocation : table.all()) {
    question.write(allocation.name);
    question.write(allocation.address);
    question.write(allocation.bytes);
    question.write(static_cast<std::uint8_t>(allocation.type));
    question.write(static_cast<std::uint8_t>(allocation.kind));
    question.write(allocation.freed);
    if (allocation.freed) continue;
    write(question, contents.front());
    contents = contents.subspan(1);
  }
  const std::string asked = question.take();
  return fingerprint_of(std::as_bytes(std::span(asked)));
}

/// Not where a clock or the reader ended it, who may be slower or later the next time.
bool came_to_its_end(const LaunchRecord& record) {
  return !record.error ||
         (!record.findings.empty() && *record.error == record.findings.front().error);
}

}  // namespace

Fingerprint fingerprint_of(const Program& program) {
  std::array<Fingerprint, 4> parts;
  std::ranges::transform(
      std::array{std::string_view(program.name), std::string_view(program.source),
                 std::string_view(program.ptx)},
      parts.begin(),
      [](std::string_view text) { return fingerprint_of(std::as_bytes(std::span(text))); });
  parts.back() = fingerprint_of(std::as_bytes(std::span(program.cubin)));
  return fingerprint_of(std::as_bytes(std::span(parts)));
}

Expected<LaunchRecord> run_or_recall(const RunRequest& request, const Fingerprint& program,
                                     LaunchMemo& memo) {
  GlobalMemory& memory = request.module->memory();
  const auto table = memory.table();
  const std::vector<const Allocation*> allocations = in_use(*table);
  if (!can_be_kept(request, allocations)) return run(request);

  std::vector<Fingerprint> before;
  for (const Allocation* allocation : allocations)
    before.push_back(memory.fingerprint(*allocation));
  const Fingerprint launch = name_of(request, program, *table, before);
  if (const auto known = memo.find(launch)) {
    for (const ChangedAllocation& changed : known->changed)
      memory.restore(*table->at(changed.address), changed);
    return known->record;
  }
  const std::uint64_t version = memory.version();
  auto record = run(request);
  if (!record || !came_to_its_end(*record) || memory.version() != version) return record;

  auto remembered = std::make_shared<RememberedLaunch>();
  remembered->record = *record;
  for (std::size_t i = 0; i < allocations.size(); ++i) {
    if (memory.fingerprint(*allocations[i]) != before[i])
      remembered->changed.push_back(memory.changed(*allocations[i]));
  }
  memo.keep(launch, std::move(remembered));
  return record;
}

}  // namespace warpbook::device
