#include "device/runtime/boxed_tool.hpp"

#include <unistd.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "device/runtime/boxed_main.hpp"
#include "device/runtime/program_places.hpp"
#include "device/sanitized.hpp"
#include "device/wire/bytes.hpp"
#include "device/worker/channel.hpp"
#include "device/worker/worker_process.hpp"

namespace warpbook::device::runtime {
namespace {

namespace fs = std::filesystem;

constexpr int kNotBegun = 127;

ChildOutcome not_started(std::string why) {
  ChildOutcome outcome;
  outcome.end = ChildOutcome::End::not_started;
  outcome.errors = std::move(why);
  return outcome;
}

BoxOrder order_for(const ChildRequest& request, const ToolPlaces& places, const BoxLayers& layers,
                   const fs::path& temporary) {
  BoxOrder order;
  order.executable = request.program.string();
  order.arguments = {request.program.string()};
  order.arguments.insert(order.arguments.end(), request.arguments.begin(), request.arguments.end());
  order.folder = request.folder.string();
  order.temporary = temporary.string();
  order.places = places_of_tool(places.readable, places.writable);
  order.limits.memory_bytes = request.memory_bytes;
  order.limits.file_bytes = request.file_bytes;
  order.layers = layers;
  return order;
}

}  // namespace

Expected<ToolBox> ToolBox::make() {
  static const auto found = probe_program_box();
  if (!found) return tl::unexpected(found.error());
  return ToolBox(found->layers);
}

ChildOutcome ToolBox::run(const ChildRequest& request, const ToolPlaces& places,
                          const std::stop_token& stop) const {
  const auto temporary = PrivateFolder::make();
  if (!temporary) return not_started(temporary.error().english());
  const UniqueFd told =
      make_memory(to_bytes(order_for(request, places, layers_, temporary->path())));
  ChildRequest boxed = request;
  boxed.program = worker_binary();
  boxed.arguments = {"worker", "boxed-tool"};
  boxed.file = told.get();
  // Our worker comes first in that process, and a sanitizer's needs more addresses than any limit grants and files of its own. The box
  // sets the tool's limits once more.
  if (kSanitized) boxed.memory_bytes = boxed.file_bytes = std::numeric_limits<std::uint64_t>::max();
  ChildOutcome outcome = run_limited(boxed, stop);
  if (outcome.end != ChildOutcome::End::exited || outcome.code != kNotBegun) return outcome;
  const auto report =
      from_bytes<BoxReport>(request.joined_output ? outcome.output : outcome.errors);
  return report ? not_started(request.program.string() + ": " + report->why) : outcome;
}

ToolBox::Runner ToolBox::as_runner() const {
  return [box = *this](const ChildRequest& request, const std::vector<fs::path>& readable,
                       const fs::path& writable, const std::stop_token& stop) {
    return box.run(request, {readable, {writable}}, stop);
  };
}

void boxed_tool_main() {
  // What limited children are given has one descriptor, and all that they say comes over standard error.
  ::dup2(kChildFileFd, kBoxOrderFd);
  ::dup2(STDERR_FILENO, kBoxReportFd);
  boxed_main();
}

}  // namespace warpbook::device::runtime
