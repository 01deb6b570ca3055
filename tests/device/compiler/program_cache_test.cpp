#include "device/compiler/program_cache.hpp"

#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>
#include <catch2/catch_test_macros.hpp>

#include <memory>
#include <thread>
#include <vector>

#include "device/platform.hpp"
#include "tests/device/compiler/compilers.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::tests::program_cache_test {

using namespace warpbook::device;
using warpbook::tests::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

Program program_of(std::string ptx) {
  Program program;
  program.name = "a.cu";
  program.source = "source";
  program.architecture = 90;
  program.ptx = std::move(ptx);
  program.cubin = {1, 2, 3};
  program.diagnostics.push_back(diagnostic_of("a.cu", 3, 4, Severity::warning, "text"));
  program.lowered = {{"f<int>", "_Z1fIiE"}};
  program.nvrtc = "13.0";
  program.seconds = 0.5;
  return program;
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  return files;
}

std::uint64_t bytes_in(const fs::path& folder) {
  std::uint64_t bytes = 0;
  for (const fs::path& file : files_in(folder)) bytes += fs::file_size(file);
  return bytes;
}

}  // namespace

TEST_CASE("A program comes out of the cache as it went in, and says that it did") {
  const TemporaryFolder folder;
  const Program stored = program_of("ptx");
  ProgramCache(folder.path(), 1 << 20).store("key", stored);
  const auto found = ProgramCache(folder.path(), 1 << 20).find("key");
  REQUIRE(found);
  CHECK(found->cached);
  CHECK(found->name == stored.name);
  CHECK(found->source == stored.source);
  CHECK(found->architecture == stored.architecture);
  CHECK(found->ptx == stored.ptx);
  CHECK(found->cubin == stored.cubin);
  CHECK(found->diagnostics == stored.diagnostics);
  CHECK(found->lowered == stored.lowered);
  CHECK(found->nvrtc == stored.nvrtc);
  CHECK(found->seconds == stored.seconds);
}

TEST_CASE("A program that is stored soon is found at once, and is on disk once the cache is gone") {
  const TemporaryFolder folder;
  constexpr int kPrograms = 20;
  const auto key_of = [](int i) { return "key " + std::to_string(i); };
  {
    ProgramCache cache(folder.path(), 1 << 20);
    for (int i = 0; i < kPrograms; ++i) {
      cache.store_soon(key_of(i), std::make_shared<const Program>(program_of(key_of(i))));
      const auto found = cache.find(key_of(i));
      REQUIRE(found);
      CHECK(found->cached);
      CHECK(found->ptx == key_of(i));
    }
    CHECK_FALSE(cache.find("another"));
  }
  CHECK(files_in(folder.path()).size() == kPrograms);
  ProgramCache again(folder.path(), 1 << 20);
  for (int i = 0; i < kPrograms; ++i) CHECK(again.find(key_of(i)));
}

TEST_CASE("A cache without a folder does not know what is stored soon either") {
  ProgramCache cache({}, 1 << 20);
  cache.store_soon("key", std::make_shared<const Program>(program_of("ptx")));
  CHECK_FALSE(cache.find("key"));
  CHECK(cache.note().empty());
}

TEST_CASE("Why nothing is kept the cache says of what is stored soon as well") {
  const TemporaryFolder folder;
  ProgramCache cache(folder.write("file", "") / "below", 1 << 20);
  cache.store_soon("key", std::make_shared<const Program>(program_of("ptx")));
  CHECK(cache.note().find("not kept") != std::string::npos);
  CHECK_FALSE(cache.find("key"));
}

TEST_CASE("Another key finds nothing, even in a file of the right name") {
  const TemporaryFolder folder;
  ProgramCache cache(folder.path(), 1 << 20);
  cache.store("one", program_of("1"));
  CHECK_FALSE(cache.find("two"));
  const fs::path one = files_in(folder.path()).at(0);
  cache.store("two", program_of("2"));
  for (const fs::path& file : files_in(folder.path())) {
    if (file != one) fs::copy_file(one, file, fs::copy_options::overwrite_existing);
  }
  CHECK_FALSE(cache.find("two"));
  CHECK(cache.find("one"));
}

TEST_CASE("A damaged entry is dropped, wherever the damage is") {
  const TemporaryFolder folder;
  ProgramCache cache(folder.path(), 1 << 20);
  cache.store("key", program_of("some ptx"));
  const fs::path file = files_in(folder.path()).at(0);
  const std::string whole = read_file(file).value();
  const auto check_dropped = [&](const std::string& damaged) {
    REQUIRE(write_file_atomically(file, damaged));
    CHECK_FALSE(cache.find("key"));
    CHECK_FALSE(fs::exists(file));
  };
  for (std::size_t at = 0; at < whole.size(); at += 7) {
    CAPTURE(at);
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ 0x20);
    check_dropped(flipped);
    check_dropped(whole.substr(0, at));
  }
  check_dropped(whole + "x");
  cache.store("key", program_of("again"));
  CHECK(cache.find("key")->ptx == "again");
}

TEST_CASE("The cache keeps within its bytes, and what was used last stays") {
  const TemporaryFolder folder;
  constexpr std::uint64_t kMost = 200'000;
  ProgramCache cache(folder.path(), kMost);
  const std::string ptx(9'000, 'p');
  cache.store("favourite", program_of(ptx));
  for (int i = 0; i < 60; ++i) {
    cache.store("key " + std::to_string(i), program_of(ptx));
    ::usleep(1100);  // times of use are told apart by the file system's clock
    REQUIRE(cache.find("favourite"));
    CHECK(bytes_in(folder.path()) <= kMost + kMost / 16 + 20'000);
  }
  CHECK_FALSE(cache.find("key 0"));
  CHECK(cache.find("key 59"));
}

TEST_CASE("A program larger than the whole cache is not kept, and costs nothing that is") {
  const TemporaryFolder folder;
  ProgramCache cache(folder.path(), 10'000);
  cache.store("small", program_of("s"));
  cache.store("large", program_of(std::string(20'000, 'p')));
  CHECK(cache.find("small"));
  CHECK_FALSE(cache.find("large"));
}

TEST_CASE("What a kill left behind is swept, and what is being written is not") {
  const TemporaryFolder folder;
  const fs::path left = folder.write(".tmp-old", "half"),
                 current = folder.write(".tmp-new", "half");
  fs::last_write_time(left, fs::file_time_type::clock::now() - std::chrono::hours(2));
  ProgramCache(folder.path(), 1 << 20).store("key", program_of("ptx"));
  CHECK_FALSE(fs::exists(left));
  CHECK(fs::exists(current));
}

TEST_CASE("A cache without a folder keeps nothing and says nothing") {
  ProgramCache cache({}, 1 << 20);
  cache.store("key", program_of("ptx"));
  CHECK_FALSE(cache.find("key"));
  CHECK(cache.note().empty());
}

TEST_CASE("A cache that cannot be written is a note and no failure") {
  const TemporaryFolder folder;
  Compiler::Options options;
  // A file where the folder should be: refused to root as well, unlike a mode.
  options.cache_folder = (folder.write("file", "") / "below").string();
  Compiler compiler(options);
  REQUIRE(compiler.compile(request_of(kAdd)));
  const std::string note = compiler.status().cache_note;
  const auto again = compiler.compile(request_of(kAdd));
  REQUIRE(again);
  CHECK_FALSE((*again)->cached);
  CHECK(note.find("compiled programs are not kept") != std::string::npos);
  CHECK(note.find('\n') == std::string::npos);
}

TEST_CASE("A cache in a read-only folder still serves what it holds") {
  if (::geteuid() == 0) SKIP("root writes where nobody may");
  const TemporaryFolder folder;
  ProgramCache cache(folder.path(), 1 << 20);
  cache.store("key", program_of("ptx"));
  fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec);
  CHECK(cache.find("key"));
  cache.store("another", program_of("ptx"));
  CHECK_FALSE(cache.note().empty());
  fs::permissions(folder.path(), fs::perms::owner_all);
}

TEST_CASE("A full disk is a note and no failure") {
  const TemporaryFolder folder;
  if (::mount("none", folder.path().c_str(), "tmpfs", 0, "size=64k") != 0)
    SKIP("a small file system cannot be mounted here");
  ProgramCache cache(folder.path(), 1 << 20);
  cache.store("small", program_of("ptx"));
  cache.store("large", program_of(std::string(200'000, 'p')));
  CHECK(cache.note().find("not kept") != std::string::npos);
  CHECK(cache.find("small"));
  CHECK_FALSE(cache.find("large"));
  CHECK(files_in(folder.path()).size() == 1);
  ::umount2(folder.path().c_str(), MNT_DETACH);
}

TEST_CASE("The compiler takes from the cache what it made before, and nothing that differs") {
  const TemporaryFolder folder;
  Compiler::Options options;
  options.cache_folder = folder.path().string();
  auto request = request_of(kAdd);
  {
    Compiler first(options);
    const auto program = first.compile(request);
    REQUIRE(program);
    CHECK_FALSE((*program)->cached);
  }
  Compiler compiler(options);
  const auto cached = compiler.compile(request);
  REQUIRE(cached);
  CHECK((*cached)->cached);
  for (const auto& change : std::vector<void (*)(CompileRequest&)>{
           [](CompileRequest& r) { r.source += " "; },
           [](CompileRequest& r) { r.name = "other.cu"; },
           [](CompileRequest& r) { r.architecture = 80; },
           [](CompileRequest& r) { r.cubin = true; },
           [](CompileRequest& r) { r.line_info = false; },
           [](CompileRequest& r) { r.fmad = false; }, [](CompileRequest& r) { r.debug = true; },
           [](CompileRequest& r) {
             r.defines = {{"A", "1"}};
           },
           [](CompileRequest& r) { r.name_expressions = {"add"}; }}) {
    auto other = request;
    change(other);
    const auto program = compiler.compile(other);
    REQUIRE(program);
    CHECK_FALSE((*program)->cached);
  }
}

TEST_CASE("Two processes store and find at once, and every program is whole") {
  const TemporaryFolder folder;
  const auto work = [&](int seed) {
    ProgramCache cache(folder.path(), 150'000);  // small: both evict all the time
    bool good = true;
    for (int i = 0; i < 150; ++i) {
      const std::string key = "key " + std::to_string((i * 7 + seed) % 40);
      const std::string ptx = key + std::string(5'000, 'p');
      if (const auto found = cache.find(key)) good = good && found->ptx == ptx;
      cache.store(key, program_of(ptx));
    }
    return good && cache.note().empty();
  };
  const pid_t other = ::fork();
  REQUIRE(other >= 0);
  if (other == 0) ::_exit(work(1) ? 0 : 1);
  CHECK(work(2));
  int status = -1;
  ::waitpid(other, &status, 0);
  CHECK(status == 0);
}

TEST_CASE("A compile that fails is kept, and says the same again; one for want of a header is not",
          "[ci]") {
  const TemporaryFolder folder;
  Compiler::Options options;
  options.cache_folder = folder.path().string();
  const auto failure_of = [&](const std::string& source) {
    Compiler compiler(options);
    const auto program = compiler.compile(request_of(source));
    REQUIRE_FALSE(program);
    return program.error();
  };
  const std::string wrong = "__global__ void k(int* x) {\n  x[0] = y;\n}\n";
  const CompileFailure first = failure_of(wrong);
  CHECK(files_in(folder.path()).size() == 1);
  const CompileFailure again = failure_of(wrong);
  CHECK(again.error == first.error);
  CHECK(again.diagnostics == first.diagnostics);
  CHECK(files_in(folder.path()).size() == 1);
  failure_of("#include <not_there.h>\n__global__ void k() {}\n");
  CHECK(files_in(folder.path()).size() == 1);
}

}  // namespace warpbook::tests::program_cache_test
