#include "lab/exercise/without_shuffles.hpp"

#include <memory>

namespace warpbook::lab {
namespace {

constexpr std::string_view kShuffle = "shfl.sync.";

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

/// "shfl.sync.down.b32 %r5|%p1, %r4, 16, 31, -1" as "mov.b32 %r5, %r4; setp.eq.u32 %p1, 0, 0".
std::string move_instead(std::string_view shuffle) {
  const std::size_t blank = shuffle.find_first_of(" \t"), first = shuffle.find(','),
                    second = shuffle.find(',', first + 1);
  const std::string_view results = trimmed(shuffle.substr(blank, first - blank)),
                         own = trimmed(shuffle.substr(first + 1, second - first - 1));
  const std::size_t bar = results.find('|');
  std::string moved = "mov.b32 ";
  moved.append(trimmed(results.substr(0, bar))).append(", ").append(own);
  if (bar != results.npos)
    moved.append("; setp.eq.u32 ").append(trimmed(results.substr(bar + 1))).append(", 0, 0");
  return moved;
}

/// The submission as it was compiled, which the compiler still knows.
std::shared_ptr<const device::Program> compiled_again(const Checker& checker) {
  const Lab::Context& context = checker.lab.context();
  device::CompileRequest request;
  request.name = checker.file_name;
  request.source = checker.source;
  request.architecture = context.device->properties().compute_capability;
  request.cubin = true;
  const auto program = context.compiler->compile(request, context.stop);
  if (!program) throw ExperimentFailed{program.error().error, program.error().diagnostics};
  return *program;
}

}  // namespace

std::string without_shuffles(std::string_view ptx) {
  std::string changed;
  for (std::size_t at = 0; at < ptx.size();) {
    const std::size_t shuffle = ptx.find(kShuffle, at), end = ptx.find(';', shuffle);
    changed.append(ptx.substr(at, shuffle - at));
    if (shuffle == ptx.npos || end == ptx.npos) break;
    changed.append(move_instead(ptx.substr(shuffle, end - shuffle)));
    at = end;
  }
  return changed;
}

bool is_right_without_shuffles(Checker& checker, const Trial& trial,
                               std::uint64_t thread_instructions) {
  auto program = std::make_shared<device::Program>(*compiled_again(checker));
  program->ptx = without_shuffles(program->ptx);
  // A lab of its own keeps what is found there out of the student's report.
  Lab apart(checker.lab.context());
  Checker changed{apart,
                  require(checker.lab.device().load(program)),
                  checker.reference,
                  checker.text,
                  checker.file_name,
                  checker.source,
                  {},
                  checker.checks,
                  checker.draw,
                  {},
                  {}};
  return run_trial(changed, changed.submission, trial, thread_instructions).right();
}

}  // namespace warpbook::lab
