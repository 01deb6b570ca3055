// A source with what its launches cost and what was found in them, line by line.
#pragma once

#include <compare>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lab/exhibits/source/source.hpp"

namespace warpbook::lab {

/// What an error says at its own line, translatable: the error's sentence without its place.
Message message_of(const device::Error& error);

/// Gathers a source exhibit over the launches of its module.
class SourceMarks {
 public:
  explicit SourceMarks(SourceExhibit exhibit) : exhibit_(std::move(exhibit)) {}

  /// The compiler's words at their lines; what it says about other files stands at line 0, led by its place.
  void add(std::span<const device::Diagnostic> diagnostics);
  /// Counters by line, of the source and of its PTX, are summed; findings become one mark a line, code and array, with
  /// their number and the first of them.
  void add(const device::LaunchRecord& record);

  /// Where the exhibit has its machine code: how often each instruction ran in that launch of `kernel`.
  void add_executions(const device::Module& module, std::string_view kernel,
                      const device::LaunchRecord& record);

  [[nodiscard]] SourceExhibit exhibit() const;
  [[nodiscard]] const std::string& file() const { return exhibit_.file; }

 private:
  struct Group {
    std::uint64_t count = 0;
    device::Error first;
  };
  SourceExhibit exhibit_;
  std::map<std::uint32_t, SourceExhibit::Line> lines_;
  std::map<std::uint32_t, SourceExhibit::Instruction> instructions_;  ///< by PTX line
  /// Of a line the errors of one kind with one array.
  struct Where {
    std::uint32_t line = 0;
    device::ErrorCode code{};
    std::string array;
    friend auto operator<=>(const Where&, const Where&) = default;
  };
  std::map<Where, Group> groups_;
};

}  // namespace warpbook::lab
