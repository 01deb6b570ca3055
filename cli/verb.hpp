// A verb of the command line with its flags, and the command line that has them all. CLI11 stands behind them, in verb.cpp alone:
// of all headers it takes longest to compile.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// NOLINTNEXTLINE(readability-identifier-naming): CLI11's own name
namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace warpbook::cli {

/// What a verb does once its flags are parsed; returns the exit code.
using VerbRun = std::function<int()>;

class Verb {
 public:
  /// A flag that is there or not. Where the flags' values land has to outlive the program.
  Verb& flag(const std::string& name, bool& value, const std::string& help);
  /// A flag with a value ("--seed", "-I,--include"), or, without dashes, what stands at this place of the line. What is given
  /// several times is a list. What cannot be read as the value's type is refused.
  Verb& option(const std::string& name, std::string& value, const std::string& help);
  Verb& option(const std::string& name, std::vector<std::string>& value, const std::string& help);
  Verb& option(const std::string& name, std::uint32_t& value, const std::string& help);
  Verb& option(const std::string& name, std::uint64_t& value, const std::string& help);
  Verb& option(const std::string& name, std::optional<std::uint64_t>& value,
               const std::string& help);
  Verb& option(const std::string& name, float& value, const std::string& help);
  Verb& option(const std::string& name, double& value, const std::string& help);
  /// Of the option added last: it may not be missing; it is one of these words; it is a number within these bounds.
  Verb& required();
  Verb& one_of(const std::vector<std::string>& words);
  Verb& between(double least, double most);
  /// Of the option added last: an empty word is no value.
  Verb& filled();
  /// Of the option added last: it may stand without a value, and is then `value`.
  Verb& alone(const std::string& value);

  /// Of the option added last, a list: it takes all words up to the next flag.
  Verb& many();
  /// What stands behind "--" on the line, untouched.
  Verb& passes_on(std::vector<std::string>& rest, const std::string& help);

  void does(VerbRun action);

 private:
  friend class CommandLine;
  /// By verb: where the words behind "--" go.
  using Passing = std::map<std::string, std::vector<std::string>*>;

  Verb(CLI::App& app, VerbRun& chosen, Passing& passing)
      : app_(&app), chosen_(&chosen), passing_(&passing) {}

  CLI::App* app_;
  VerbRun* chosen_;
  Passing* passing_;
  CLI::Option* last_ = nullptr;
};

class CommandLine {
 public:
  CommandLine();
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  /// A verb without help is not shown: the program itself calls it.
  Verb add(const std::string& name, const std::string& help = {});
  /// Does what the command line asks for, `otherwise` where it names no verb, and gives back the exit code. A bad line is told
  /// on standard error.
  int run(int argc, char** argv, const VerbRun& otherwise);

 private:
  std::unique_ptr<CLI::App> app_;
  VerbRun chosen_;
  Verb::Passing passing_;
};

}  // namespace warpbook::cli
