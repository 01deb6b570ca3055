#include "cli/verb.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/command.hpp"

namespace warpbook::cli {

namespace {

/// CLI11 wraps "-1" round where the type has no sign.
template <class T>
std::string whole_number(const std::string& text) {
  T value = 0;
  if (!text.starts_with('-') && CLI::detail::lexical_cast(text, value)) return {};
  return fmt::format("{} is not a whole number from 0 to {}", text, std::numeric_limits<T>::max());
}

/// An action's exit code, or kUnwritten where standard output does not take what it says: a full disk must neither pass for
/// success nor for a submission that failed.
int heard(const VerbRun& action) {
  const auto unheard = [](const char* why) {
    fmt::print(stderr, "warpbook: standard output takes no more: {}\n", why);
    return kUnwritten;
  };
  int code = kFailed;
  try {
    code = action();
  } catch (const std::system_error& error) {  // fmt's
    if (std::ferror(stdout) == 0) throw;
    return unheard(error.code().message().c_str());
  }
  errno = 0;
  const bool written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  return written ? code : unheard(std::strerror(errno != 0 ? errno : EIO));
}

}  // namespace

Verb& Verb::flag(const std::string& name, bool& value, const std::string& help) {
  last_ = app_->add_flag(name, value, help);
  return *this;
}

Verb& Verb::option(const std::string& name, std::string& value, const std::string& help) {
  last_ = app_->add_option(name, value, help);
  return *this;
}

Verb& Verb::option(const std::string& name, std::vector<std::string>& value,
                   const std::string& help) {
  // One value each time: what follows may be the verb's next word.
  last_ = app_->add_option(name, value, help)->allow_extra_args(false);
  return *this;
}

Verb& Verb::option(const std::string& name, std::uint32_t& value, const std::string& help) {
  last_ = app_->add_option(name, value, help)->check(whole_number<std::uint32_t>);
  return *this;
}

Verb& Verb::option(const std::string& name, std::uint64_t& value, const std::string& help) {
  last_ = app_->add_option(name, value, help)->check(whole_number<std::uint64_t>);
  return *this;
}

Verb& Verb::option(const std::string& name, std::optional<std::uint64_t>& value,
                   const std::string& help) {
  last_ = app_->add_option(name, value, help)->check(whole_number<std::uint64_t>);
  return *this;
}

Verb& Verb::option(const std::string& name, float& value, const std::string& help) {
  last_ = app_->add_option(name, value, help);
  return *this;
}

Verb& Verb::option(const std::string& name, double& value, const std::string& help) {
  last_ = app_->add_option(name, value, help);
  return *this;
}

Verb& Verb::required() {
  last_->required();
  return *this;
}

Verb& Verb::one_of(const std::vector<std::string>& words) {
  last_->check(CLI::IsMember(words));
  return *this;
}

Verb& Verb::between(double least, double most) {
  last_->check([least, most](const std::string& text) {
    double value = 0;
    if (CLI::detail::lexical_cast(text, value) && value >= least && value <= most) {
      return std::string();
    }
    return fmt::format("{} is not a number from {} to {}", text, least, most);
  });
  return *this;
}

Verb& Verb::filled() {
  // No check() of CLI11's sees an empty word of an option that may stand alone.
  app_->parse_complete_callback([option = last_] {
    for (const std::string& word : option->results()) {
      if (word.empty()) throw CLI::ValidationError(option->get_name(), "an empty value was given");
    }
  });
  return *this;
}

Verb& Verb::alone(const std::string& value) {
  last_->expected(0, 1)->default_str(value);
  return *this;
}

Verb& Verb::many() {
  last_->allow_extra_args();
  return *this;
}

Verb& Verb::passes_on(std::vector<std::string>& rest, const std::string& help) {
  (*passing_)[app_->get_name()] = &rest;
  app_->footer(help);
  return *this;
}

void Verb::does(VerbRun action) {
  app_->callback([chosen = chosen_, action = std::move(action)] { *chosen = action; });
}

CommandLine::CommandLine()
    : app_(
          std::make_unique<CLI::App>("Warpbook: learn GPU programming by running it", "warpbook")) {
  app_->require_subcommand(0, 1);
  app_->set_version_flag("--version", "warpbook " WARPBOOK_VERSION);
}

CommandLine::~CommandLine() = default;

Verb CommandLine::add(const std::string& name, const std::string& help) {
  CLI::App* const app = app_->add_subcommand(name, help);
  if (help.empty()) app->group("");
  return {*app, chosen_, passing_};
}

int CommandLine::run(int argc, char** argv, const VerbRun& otherwise) {
  const auto passes = passing_.find(argc > 1 ? argv[1] : "");
  if (passes != passing_.end()) {
    char** const end = argv + argc;
    char** const dashes =
        std::find_if(argv, end, [](const char* word) { return std::string_view(word) == "--"; });
    if (dashes != end) passes->second->assign(dashes + 1, end);
    argc = static_cast<int>(dashes - argv);
  }
  try {
    app_->parse(argc, argv);
  } catch (const CLI::Success& wanted) {  // --help, --version
    return app_->exit(wanted);
  } catch (const CLI::ParseError& error) {
    const auto verbs = app_->get_subcommands();
    fmt::print(stderr, "warpbook: {}; see `warpbook{} --help`\n", error.what(),
               verbs.empty() ? "" : " " + verbs.front()->get_name());
    return kBadUsage;
  }
  return heard(chosen_ ? chosen_ : otherwise);
}

}  // namespace warpbook::cli
