// How fast a PTX text becomes a module, and a module's functions blocks and slots. Nothing is
// asserted: figures to read.
#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>
#include <string>

#include <fmt/format.h>

#include "device/simulator/isa/flow.hpp"
#include "device/simulator/ptx/module.hpp"

namespace {

using namespace warpbook::device;

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

/// The module with its last kernel, `name`, repeated under new names until the text has `bytes` or
/// more.
std::string repeated(const std::string& module, const std::string& name, std::size_t bytes) {
  const std::size_t begin = module.find(".visible .entry " + name);
  const std::size_t end = module.find("\n}\n", begin) + 3;
  const std::string kernel = module.substr(begin, end - begin);
  std::string text = module.substr(0, end);
  for (int copy = 0; text.size() < bytes; ++copy) {
    std::string again = kernel;
    replace_all(again, name, fmt::format("{}_{}", name, copy));
    text += again;
  }
  return text + module.substr(end);
}

template <class Work>
double best_seconds(Work&& work) {
  double best = 1e9;
  for (int round = 0; round < 7; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    best = std::min(
        best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return best;
}

int measure(const std::string& file, const std::string& kernel) {
  constexpr std::size_t kBytes = 8 << 20;
  const std::string text = repeated(
      read(std::string(WARPBOOK_SOURCE_DIR) + "/tests/device/simulator/ptx/corpus/" + file), kernel,
      kBytes);
  const Expected<ptx::Module> module = ptx::parse(text, file);
  if (!module) {
    fmt::print("{}\n", module.error().english());
    return 1;
  }
  std::size_t instructions = 0;
  for (const ptx::Function& function : module->functions) {
    instructions += function.instructions.size();
  }
  const double parsing = best_seconds([&] { (void)ptx::parse(text, file); });
  const double analysing = best_seconds([&] {
    for (const ptx::Function& function : module->functions) {
      (void)isa::assign_slots(*module, function, isa::find_flow(*module, function));
    }
  });
  fmt::print(
      "{:<20} {:>8.1f} MB {:>9} instructions   parse {:>6.1f} MB/s   flow and slots {:>6.1f} M "
      "instructions/s\n",
      file, static_cast<double>(text.size()) / 1e6, instructions,
      static_cast<double>(text.size()) / 1e6 / parsing,
      static_cast<double>(instructions) / 1e6 / analysing);
  return 0;
}

}  // namespace

int main() { return measure("everyday.ptx", "saxpy") + measure("everyday_debug.ptx", "saxpy"); }
