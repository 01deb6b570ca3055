#include <catch2/catch_test_case_info.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>
#include <catch2/reporters/catch_reporter_streaming_base.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <ostream>
#include <string>
#include <string_view>

#include "device/sanitized.hpp"

namespace {

/// A CMake bracket argument: nothing within it is special to CMake.
std::string bracketed(std::string_view text) { return "[==[" + std::string(text) + "]==]"; }

/// A test name as a Catch2 test specification that matches this name alone.
std::string as_specification(std::string_view name) {
  std::string specification;
  for (const char c : name) {
    if (c == '\\' || c == ',' || c == '[' || c == ']' || c == '*' || c == '"')
      specification += '\\';
    specification += c;
  }
  return specification;
}

/// `--list-tests --reporter ctest` writes the script that ctest includes, so that nothing has to parse a list of names:
/// one add_test for each test case, with the labels that its tags say.
class CtestReporter : public Catch::StreamingReporterBase {
 public:
  using StreamingReporterBase::StreamingReporterBase;

  // NOLINTNEXTLINE(readability-identifier-naming): Catch2 asks for it by this name
  static std::string getDescription() { return "writes the tests as a script for ctest"; }

  void listTests(const std::vector<Catch::TestCaseHandle>& tests) override {
    const std::string executable = std::filesystem::canonical("/proc/self/exe").string();
    const char* prefix = std::getenv("WARPBOOK_TEST_PREFIX");
    for (const Catch::TestCaseHandle& test : tests) {
      const Catch::TestCaseInfo& info = test.getTestCaseInfo();
      const std::string name = bracketed((prefix ? std::string(prefix) + ": " : "") + info.name);
      m_stream << "add_test(" << name << ' ' << bracketed(executable) << ' '
               << bracketed(as_specification(info.name)) << ")\n"
               << "set_tests_properties(" << name << " PROPERTIES LABELS \"" << labels(info)
               << "\" TIMEOUT "
               << (has_tag(info, "long") ? 3600 : 600) * warpbook::device::kSlowdown
               << " SKIP_RETURN_CODE 4)\n";
    }
  }

 private:
  static bool has_tag(const Catch::TestCaseInfo& info, std::string_view tag) {
    return std::any_of(info.tags.begin(), info.tags.end(), [&](const Catch::Tag& t) {
      return std::string_view(t.original.data(), t.original.size()) == tag;
    });
  }

  static std::string_view labels(const Catch::TestCaseInfo& info) {
    if (has_tag(info, "long")) return "long";
    return has_tag(info, "ci") ? "ci" : "quick;ci";
  }
};

CATCH_REGISTER_REPORTER("ctest", CtestReporter)

}  // namespace
