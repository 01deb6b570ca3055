// The reader's source says itself how it is launched, in the lines that the kernels of kernels/ have, too.
#include <algorithm>
#include <string_view>

#include "device/characters.hpp"
#include "lab/operation/rung_block.hpp"
#include "lessons/capstone/runs.hpp"

namespace warpbook::lessons::capstone {
namespace {

constexpr const char* kAsRung =
    "kernels/convolution/00_yours.cu";  ///< what the reader of such lines expects

/// The source's lines of `//@` below each other, and where each stands in the source. A rung has an idea, and here it is the reader's
/// own: a kernel of kernels/ that is pasted here has a line of it, which is passed over.
struct LaunchLines {
  std::string text = "//@ idea: yours\n";
  std::vector<std::uint32_t> places{1};
};

LaunchLines launch_lines(std::string_view source) {
  LaunchLines lines;
  std::uint32_t number = 0;
  while (!source.empty()) {
    const std::string_view line = source.substr(0, source.find('\n'));
    source.remove_prefix(std::min(source.size(), line.size() + 1));
    ++number;
    if (!line.starts_with("//@") || device::trimmed(line.substr(3)).starts_with("idea:")) continue;
    lines.text += std::string(line) + "\n";
    lines.places.push_back(number);
  }
  return lines;
}

}  // namespace

lab::Rung own_rung(const std::string& source) {
  const LaunchLines lines = launch_lines(source);
  const auto place_of = [&](std::uint32_t line) {
    return line >= 1 && line <= lines.places.size() ? lines.places[line - 1] : 1;
  };
  auto rung = lab::parse_rung(kAsRung, lines.text);
  if (!rung) {
    device::Error error = rung.error();
    error.place = {kFile, place_of(error.place.line), 0};
    throw lab::ExperimentFailed{std::move(error), {}};
  }
  rung->path = kFile;
  for (lab::RungLaunch& launch : rung->launches) {
    if (launch.line != 0) launch.line = place_of(launch.line);
  }
  return std::move(*rung);
}

}  // namespace warpbook::lessons::capstone
