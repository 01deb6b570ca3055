// Runs a compiler, or another tool that reads what strangers wrote, in a box like that of whole programs (docs/program-box.md): an
// `#include` in a source names any file, and a line table does, too.
#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <vector>

#include "device/error.hpp"
#include "device/runtime/program_box.hpp"
#include "device/worker/limited_child.hpp"

namespace warpbook::device::runtime {

/// What a tool may use of the file system, beside the system's programs and libraries.
struct ToolPlaces {
  std::vector<std::filesystem::path> readable;  ///< files and folders, which need not exist
  std::vector<std::filesystem::path> writable;  ///< folders
};

/// The box in which tools run on this computer, found out once.
class ToolBox {
 public:
  /// Error: program_box_missing, where this computer allows no box.
  static Expected<ToolBox> make();
  /// As run_limited(). Where the box cannot be entered, the outcome is not_started, with the reason.
  [[nodiscard]] ChildOutcome run(const ChildRequest& request, const ToolPlaces& places,
                                 const std::stop_token& stop = {}) const;
  /// run() as a function that knows nothing of boxes, for build_program().
  using Runner = std::function<ChildOutcome(
      const ChildRequest& request, const std::vector<std::filesystem::path>& readable,
      const std::filesystem::path& writable, const std::stop_token& stop)>;
  [[nodiscard]] Runner as_runner() const;

 private:
  explicit ToolBox(BoxLayers layers) : layers_(layers) {}

  BoxLayers layers_;
};

/// The main of `warpbook worker boxed-tool`: enters the box and becomes the tool.
[[noreturn]] void boxed_tool_main();

}  // namespace warpbook::device::runtime
