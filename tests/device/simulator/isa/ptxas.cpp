#include "tests/device/simulator/isa/ptxas.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <sstream>

#include "tests/device/simulator/isa/samples.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::device::tests {
namespace {

std::string output_of(const std::string& command) {
  std::string text;
  std::FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  if (!pipe) return text;
  std::array<char, 4096> part{};
  while (const std::size_t count = std::fread(part.data(), 1, part.size(), pipe))
    text.append(part.data(), count);
  ::pclose(pipe);
  return text;
}

/// A command; empty where there is none.
std::string find_ptxas() {
  for (const char* command : {"ptxas", "/usr/local/cuda/bin/ptxas"}) {
    if (output_of(std::string(command) + " --version").find("release 13.0") != std::string::npos)
      return command;
  }
  return "";
}

const std::string& ptxas_here() {
  static const std::string ptxas = find_ptxas();
  return ptxas;
}

std::string said_of(const std::string& ptxas, const std::string& text) {
  const warpbook::tests::TemporaryFolder folder;
  const std::string path = folder.write("samples.ptx", text).string();
  return output_of(ptxas + " -arch=sm_90 -o /dev/null '" + path + "'");
}

/// Errors by line, from "ptxas FILE, line 12; error   : REASON". A fatal one ends the reading.
struct Said {
  std::map<std::size_t, std::string> by_line;
  bool to_the_end = false;
};
Said read(const std::string& text, const std::string& end) {
  Said said;
  bool fatal = false;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t place = line.find(", line "), kind = line.find("; "),
                      reason = line.find(": ", kind == std::string::npos ? 0 : kind);
    if (place == std::string::npos || kind == std::string::npos || reason == std::string::npos)
      continue;
    const std::string what = line.substr(kind + 2, 5);  // warnings and advice are none
    if (what != "error" && what != "fatal") continue;
    fatal = fatal || what == "fatal";
    said.by_line.emplace(std::stoul(line.substr(place + 7)), line.substr(reason + 2));
  }
  said.to_the_end = !fatal && text.find(end) != std::string::npos;
  return said;
}

/// Fills `why` for the samples [first, last). The last instruction is always wrong, so that none is compiled; and it tells
/// that all before it were read. What stops ptxas before is taken out, until nothing does.
void ask(const std::string& ptxas, const std::string& head, const std::vector<std::string>& samples,
         std::size_t first, std::size_t last, std::vector<std::string>& why) {
  const auto lines = static_cast<std::size_t>(std::ranges::count(head, '\n'));
  for (;;) {
    std::string text = head;
    std::vector<std::size_t> asked;
    for (std::size_t i = first; i < last; ++i) {
      if (!why[i].empty()) continue;
      text += "{ " + samples[i] + " }\n";
      asked.push_back(i);
    }
    if (asked.empty()) return;
    const Said said = read(said_of(ptxas, text + "mov.u32 %the_end, 0;\nret;\n}\n"), "%the_end");
    bool any = false;
    for (const auto& [line, reason] : said.by_line) {
      if (line <= lines || line > lines + asked.size()) continue;
      why[asked[line - lines - 1]] = reason;
      any = true;
    }
    if (said.to_the_end) return;
    if (any) continue;
    // It died of one of them.
    if (asked.size() == 1) {
      why[asked[0]] = "ptxas died";
      return;
    }
    const std::size_t middle = asked[asked.size() / 2];
    ask(ptxas, head, samples, first, middle, why);
    first = middle;
  }
}

}  // namespace

std::optional<std::vector<std::string>> refusals_of_ptxas(const std::vector<std::string>& samples,
                                                          isa::Dialect dialect) {
  const std::string& ptxas = ptxas_here();
  if (ptxas.empty()) return std::nullopt;
  constexpr std::size_t kAtOnce = 4000;
  const std::string head = the_samples_begin_with(dialect);
  std::vector<std::string> why(samples.size());
  for (std::size_t at = 0; at < samples.size(); at += kAtOnce)
    ask(ptxas, head, samples, at, std::min(at + kAtOnce, samples.size()), why);
  return why;
}

std::optional<std::string> refusal_of_module(const std::string& text) {
  const std::string& ptxas = ptxas_here();
  if (ptxas.empty()) return std::nullopt;
  std::istringstream lines(said_of(ptxas, text));
  for (std::string line; std::getline(lines, line);) {
    if (line.find("error") != std::string::npos || line.find("fatal") != std::string::npos)
      return line;
  }
  return "";
}

}  // namespace warpbook::device::tests
