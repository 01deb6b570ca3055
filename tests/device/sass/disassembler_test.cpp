// nvdisasm as a program of somebody else's: found where it is said to be, run within limits, believed only as far as it goes.
#include "device/sass/disassembler.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>

#include <catch2/catch_test_macros.hpp>

#include "device/sass/sass.hpp"
#include "tests/device/compiler/compilers.hpp"
#include "tests/device/sass/stand_in.hpp"

namespace warpbook::tests::disassembler_test {

using namespace warpbook::device;

namespace {

const std::vector<std::uint8_t> kBits{1, 2, 3};

/// A variable of the environment while a test lasts.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    ::setenv(name, value.c_str(), 1);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { before_ ? ::setenv(name_, before_->c_str(), 1) : ::unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

ErrorCode code_of(const Expected<std::string>& result) {
  REQUIRE_FALSE(result);
  return result.error().code;
}

std::string detail_of(const Expected<std::string>& result) {
  return result ? std::string() : result.error().english();
}

}  // namespace

TEST_CASE("A disassembler is looked for where a variable says, and nowhere else then") {
  const TemporaryFolder folder;
  const auto program = stand_in(folder, "exit 0");
  {
    const Variable named("WARPBOOK_NVDISASM", program.string());
    CHECK(find_disassembler() == program);
  }
  {
    const Variable named("WARPBOOK_NVDISASM", folder.path() / "nowhere");
    const auto found = find_disassembler();
    REQUIRE_FALSE(found);
    CHECK(found.error().code == ErrorCode::library_missing);
    CHECK(found.error().english().find(kDisassemblerCommand) != std::string::npos);
  }
}

TEST_CASE("A toolkit that is named has its disassembler in one of two places, or none") {
  const Variable no_name("WARPBOOK_NVDISASM", "");
  for (const char* layout : {"bin", "nvidia/cu13/bin"}) {
    const TemporaryFolder folder;
    const auto program = stand_in(folder, "exit 0", std::string(layout) + "/nvdisasm");
    const Variable toolkit("WARPBOOK_CUDA", folder.path());
    CHECK(find_disassembler() == program);
  }
  const TemporaryFolder empty;
  std::filesystem::create_directories(empty.path() / "bin" / "nvdisasm");  // a folder is none
  const Variable toolkit("WARPBOOK_CUDA", empty.path());
  CHECK_FALSE(find_disassembler());
}

TEST_CASE("A disassembler is given the cubin, and asked for code with its bits") {
  const TemporaryFolder folder;
  const auto echo = stand_in(folder, "echo \"$@\"; for last; do :; done; cat $last | od -An -tu1");
  const auto said = disassembled(echo, kBits);
  REQUIRE(said);
  CHECK(said->find("--print-code --print-instruction-encoding") != std::string::npos);
  CHECK(said->find("   1   2   3\n") != std::string::npos);
}

TEST_CASE("Each way in which a disassembler fails is an error that says which") {
  const TemporaryFolder folder;
  const DisassemblerLimits limits{.seconds = 0.5, .output_bytes = 1u << 20};
  const auto run = [&](const std::string& script) {
    return disassembled(stand_in(folder, script), kBits, limits);
  };
  const auto refused = run("echo 'nvdisasm fatal   : no ELF file' >&2; exit 1");
  CHECK(code_of(refused) == ErrorCode::library_refused);
  CHECK(detail_of(refused).find("no ELF file") != std::string::npos);
  CHECK(code_of(run("kill -SEGV $$")) == ErrorCode::library_died);
  const auto late = run("sleep 100");
  CHECK(code_of(late) == ErrorCode::library_died);
  CHECK(detail_of(late).find("0.5 s") != std::string::npos);
  const auto flood =
      run("while :; do echo 01234567890123456789012345678901234567890123456789; done");
  CHECK(code_of(flood) == ErrorCode::library_died);
  const auto nowhere = disassembled(folder.path() / "nowhere", kBits, limits);
  CHECK(code_of(nowhere) == ErrorCode::library_damaged);
  std::stop_source stopped;
  stopped.request_stop();
  CHECK(code_of(disassembled(stand_in(folder, "sleep 100"), kBits, {}, stopped.get_token())) ==
        ErrorCode::cancelled);
}

TEST_CASE("A disassembler's version is the number that it says, or an error") {
  const TemporaryFolder folder;
  const auto says = [&](const std::string& text) {
    return version_of_disassembler(stand_in_writing(folder, text));
  };
  CHECK(says("nvdisasm: NVIDIA (R) CUDA disassembler\nCuda compilation tools, release 13.2, "
             "V13.2.86\n") == "13.2.86");
  CHECK(code_of(says("hello\n")) == ErrorCode::library_refused);
  CHECK(code_of(says("")) == ErrorCode::library_refused);
}

TEST_CASE("A listing is asked for once: afterwards it comes from the cache folder") {
  const TemporaryFolder folder, home;
  const Variable state("WARPBOOK_HOME", home.path());
  const auto counting = stand_in(folder, "echo called >&2; echo listing; exit 0");
  // Children write no files, so calls are counted by what the second one would say.
  const Variable named("WARPBOOK_NVDISASM", counting);
  CHECK(disassembled(kBits) == "listing\n");
  const auto time = std::filesystem::last_write_time(counting);
  const auto size = std::filesystem::file_size(counting);
  std::string other = "#!/bin/sh\necho called >&2; echo LISTING; exit 0\n";
  other.resize(size, '\n');
  folder.write("nvdisasm", other);
  std::filesystem::last_write_time(counting, time);
  CHECK(disassembled(kBits) == "listing\n");  // the same program, as far as can be seen
  CHECK(disassembled(std::vector<std::uint8_t>{9}) == "LISTING\n");  // another cubin
  std::filesystem::last_write_time(counting, time + std::chrono::seconds(1));
  CHECK(disassembled(kBits) == "LISTING\n");  // another version
}

TEST_CASE("The disassembler of this machine, where there is one, names what NVRTC makes", "[ci]") {
  const auto here = find_disassembler();
  if (!here) SKIP("nvdisasm is not here: " + here.error().english());
  const auto version = version_of_disassembler(*here);
  CHECK(version);
  for (const int architecture : {75, 80, 90, 120}) {
    CAPTURE(architecture);
    CompileRequest request = request_of(kAdd);
    request.cubin = true;
    request.architecture = architecture;
    const auto program = compiler().compile(request);
    REQUIRE(program);
    const Sass sass = sass_of(**program, disassembled(*here, (*program)->cubin));
    CAPTURE(sass.why ? sass.why->english() : "");
    CHECK(sass.disassembler == "nvdisasm");
    REQUIRE(sass.functions.size() == 1);
    const auto& code = sass.functions.front().instructions;
    // Our own table calls all of them the same.
    const Sass own = sass_of(**program, failure(ErrorCode::cancelled));
    for (std::size_t i = 0; i < code.size(); ++i)
      CHECK(opcode_of(own.functions.front().instructions[i].text) == opcode_of(code[i].text));
    const auto load = std::ranges::find_if(
        code, [](const SassInstruction& one) { return opcode_of(one.text) == "LDG"; });
    REQUIRE(load != code.end());
    CHECK(load->text.find('[') != std::string::npos);  // with its operands
    CHECK(load->line == 3);
  }
}

}  // namespace warpbook::tests::disassembler_test
