// warpbook ladder OPERATION: every rung of kernels/OPERATION at one size, checked and counted.
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "device/platform.hpp"
#include "lab/ladder/ladder.hpp"
#include "lab/ladder/ladder_json.hpp"
#include "lab/markup/json.hpp"
#include "lab/render/render.hpp"
#include "lab/report/report.hpp"

namespace warpbook::cli {
namespace {

struct LadderFlags {
  lab::LadderRequest request;
  LanguageFlag language;
  std::string checks = kLessonCheckWords;
  bool no_libraries = false, json = false;
};

int show_ladder(const LadderFlags& flags) {
  const auto strings = flags.language.strings();
  const std::string root = device::root_folder().string();
  const auto checks = device::parse_checks(flags.checks);
  auto ladder = [&]() -> device::Expected<lab::Ladder> {
    if (!checks) return tl::unexpected(checks.error());
    lab::LadderRequest request = flags.request;
    request.checks = *checks;
    request.libraries = !flags.no_libraries;
    // A ladder takes up to a minute, and a terminal that says nothing looks hung.
    if (isatty(STDERR_FILENO) != 0) {
      request.progress = [&](const lab::Message& begins) {
        fmt::print(stderr, "{}\n", (*strings)(begins));
      };
    }
    return lab::climb(request, compiler(), root);
  }();
  if (flags.json) {
    const auto english = lab::Strings::load(lab::kEnglish, root);
    if (!english) return complain(english.error());
    const nlohmann::json report =
        ladder ? lab::to_json(*ladder, **english)
               : nlohmann::json{{"form", "warpbook-ladder"},
                                {"version", lab::LadderDocument::kVersion},
                                {"errors", nlohmann::json::array({lab::to_json(ladder.error())})}};
    fmt::print("{}\n", report.dump(2));
  } else if (ladder) {
    fmt::print("{}", lab::to_text(*ladder, *strings, 120, isatty(STDOUT_FILENO) != 0));
  }
  if (!ladder) return complain(ladder.error(), strings.get());
  return ladder->passed() ? kDone : kFailed;
}

}  // namespace

void add_ladder(CommandLine& line) {
  auto flags = std::make_shared<LadderFlags>();
  Verb verb = line.add("ladder", "Check and count every version of an operation, side by side");
  verb.option("operation", flags->request.operation, "The operation: a folder of kernels/")
      .required();
  verb.option("--size", flags->request.size,
              "Its sizes: 4096, 256x128, or rows=256,columns=128 (default: the ladder's own)");
  verb.option("--define", flags->request.defines,
              "A macro of the kernels: NAME=NUMBER (may be repeated)");
  verb.option("--gpu", flags->request.gpu, gpu_help());
  flags->language.add_to(verb);
  add_checks(verb, flags->checks);
  verb.flag("--no-libraries", flags->no_libraries,
            "Leave out what cuDNN, cuBLAS and oneDNN have for the same problem");
  verb.flag("--json", flags->json, "As JSON (lab/render/ladder.schema.json)");
  verb.does([flags] { return show_ladder(*flags); });
}

}  // namespace warpbook::cli
