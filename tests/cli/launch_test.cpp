// `warpbook launch`, run as a user would: what it computes, what it prints, and how it refuses.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <nlohmann/json.hpp>

#include "tests/bump.hpp"
#include "tests/cli/program.hpp"
#include "tests/says.hpp"

namespace warpbook::tests::launch_test {

using nlohmann::json;

namespace {

constexpr const char* kEndless = R"(.version 8.0
.target sm_75
.address_size 64
.visible .entry endless()
{
AGAIN:
  bra AGAIN;
}
)";

// Stores its scalar arguments' bytes one after another: q.x is 8 bytes of a structure.
constexpr const char* kScalars = R"(
struct Q { int a; float b; };
__global__ void scalars(unsigned char* out, signed char c, unsigned short s, int i, long long l,
                        float f, double d, Q q) {
  auto put = [&](int at, const void* from, int n) {
    for (int k = 0; k < n; ++k) out[at + k] = static_cast<const unsigned char*>(from)[k];
  };
  put(0, &c, 1), put(2, &s, 2), put(4, &i, 4), put(8, &l, 8);
  put(16, &f, 4), put(24, &d, 8), put(32, &q, 8);
}
)";

template <class T>
std::string raw(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

template <class T>
std::vector<T> values_of(const std::string& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

Outcome launch(const std::string& file, std::vector<std::string> more) {
  more.insert(more.begin(), {"launch", file});
  return warpbook(more);
}

/// What stands below phrase.why.
device::Message why(const std::string& key, device::MessageArguments arguments = {}) {
  return {"phrase.why." + key, std::move(arguments), {}};
}

/// The one line of that error on standard error, nothing on standard output.
void check_refused(const Outcome& outcome, int code, const std::string& error,
                   const device::MessageArguments& arguments) {
  CHECK(outcome.code == code);
  const device::Message said{"error." + error + ".long", arguments, {}};
  CHECK(outcome.err == "warpbook: " + said.english() + "\n");
  CHECK(outcome.out.empty());
}

}  // namespace

TEST_CASE("launch tells each stray access in a line of its own, ten of them, and how many more",
          "[ci]") {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("fill.cu", "__global__ void fill(int* x) {\n  x[threadIdx.x] = 1;\n}\n");
  const Outcome few = launch(file, {"--block", "4", "--arg", "out:8"});
  CHECK(few.code == 1);
  const auto stray = [](int thread) {
    const device::Message said{"error.out_of_bounds_write.long",
                               {{"name", "arg1"},
                                {"elements", "[0..1]"},
                                {"index", thread},
                                {"thread", thread},
                                {"block", 0}},
                               {}};
    return "warpbook: fill.cu:2:3: " + said.english() + "\n";
  };
  CHECK(few.err == stray(2) + stray(3));
  const Outcome many = launch(file, {"--block", "32", "--arg", "out:8"});
  CHECK(std::ranges::count(many.err, '\n') == 11);
  CHECK(many.err.ends_with(stray(11) + "warpbook: and 20 more; --json lists up to 100\n"));
}

TEST_CASE("launch runs a foreign PTX on a buffer and writes it back") {
  const TemporaryFolder folder;
  const std::string file = folder.write("bump.ptx", kBump);
  const std::string x = folder.write("x.bin", raw<int>({1, 2, 3, 4, 5}));
  const std::string out = (folder.path() / "out.bin").string();
  const Outcome done =
      launch(file, {"--block", "32", "--arg", "inout:" + x + "=" + out, "--arg", "4"});
  CHECK(done.code == 0);
  CHECK(done.out.empty());
  CHECK(values_of<int>(read_whole(out)) == std::vector{2, 3, 4, 5, 5});
  CHECK(values_of<int>(read_whole(x)) == std::vector{1, 2, 3, 4, 5});
}

TEST_CASE("inout without a second file is written in place, but not after a failure") {
  const TemporaryFolder folder;
  const std::string file = folder.write("bump.ptx", kBump);
  const std::string x = folder.write("x.bin", raw<int>({1, 2, 3}));
  CHECK(launch(file, {"--block", "32", "--arg", "inout:" + x, "--arg", "i32:3"}).code == 0);
  CHECK(values_of<int>(read_whole(x)) == std::vector{2, 3, 4});
  CHECK(launch(file, {"--block", "32", "--arg", "inout:" + x, "--arg", "i32:4"}).code == 1);
  CHECK(values_of<int>(read_whole(x)) == std::vector{2, 3, 4});
}

TEST_CASE("launch --json holds geometry, instructions, seconds, counters, errors and output") {
  const TemporaryFolder folder;
  const std::string file = folder.write("bump.ptx", kBump);
  const Outcome done =
      launch(file, {"--grid", "2", "--block", "16,2", "--arg", "out:160", "--arg", "40", "--json"});
  REQUIRE(done.code == 0);
  const json report = json::parse(done.out);
  CHECK(report["kernel"] == "bump");
  CHECK(report["geometry"]["grid"] == json({2, 1, 1}));
  CHECK(report["geometry"]["block"] == json({16, 2, 1}));
  CHECK(report["geometry"]["dynamic_shared"] == 0);
  // tid.x alone numbers the threads, so both rows of 16 add: 2 blocks x 32 threads, none past 40.
  CHECK(report["thread_instructions"] == 64 * 7 + 64 * 6 + 64);
  CHECK(report["seconds"].get<double>() > 0);
  CHECK(report["total"]["global_requests"] == 4);
  CHECK(report["errors"].empty());
  CHECK(report["output"] == "");
  CHECK(report["gpu"] == "H200");
  CHECK(report["device"] == "simulator");
}

TEST_CASE("launch compiles a .cu, its main() and its own headers left where they belong", "[ci]") {
  const TemporaryFolder folder;
  folder.write(
      "scale.cuh",
      "#pragma once\n__device__ inline float scaled(float x, float a) { return a * x; }\n");
  const std::string file = folder.write("whole.cu", R"(
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include "scale.cuh"
using namespace std;
#define CHECK(call) if ((call) != cudaSuccess) exit(1)

__global__ void scale(const float* x, float* y, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = scaled(x[i], a);
  if (i == 0) printf("n = %d\n", n);
}

static vector<float> host(10);

float on_host(float x) { return 2 * x; }

int main() {
  float *x, *y;
  CHECK(cudaMalloc(&x, 40));
  CHECK(cudaMalloc(&y, 40));
  scale<<<1, 32>>>(x, y, on_host(1), 10);
  for (float v : host) cout << v << "}";
  return 0;
}
)");
  const std::string x = folder.write("x.bin", raw<float>({1, 2, 3}));
  const std::string y = (folder.path() / "y.bin").string();
  const std::vector<std::string> arguments{"--block",     "32",    "--arg", "in:" + x, "--arg",
                                           "out:12=" + y, "--arg", "2.5",   "--arg",   "3"};
  const Outcome done = launch(file, arguments);
  CHECK(done.code == 0);
  CHECK(done.out == "n = 3\n");
  CHECK(values_of<float>(read_whole(y)) == std::vector{2.5f, 5.0f, 7.5f});

  auto with_json = arguments;
  with_json.emplace_back("--json");
  const json report = json::parse(launch(file, with_json).out);
  CHECK(report["output"] == "n = 3\n");
  CHECK(report["registers"].get<int>() > 0);
  CHECK(report["spilled_bytes"] == 0);
  CHECK(report["machine_mix"]["EXIT"].get<int>() >= 1);
  CHECK(report["occupancy"] == json{{"blocks", 32}, {"fraction", 0.5}, {"limiter", "blocks"}});
  CHECK(done.err.find("32 blocks") != std::string::npos);
  CHECK(done.err.find("50 %") != std::string::npos);
  // Counters stand at the lines of the file as its author sees them; line 5 of the kernel's own
  // text is line 11.
  bool guard_counted = false;
  for (const json& line : report["lines"]) {
    if (line["line"] == 11 && line["file"].get<std::string>().ends_with("whole.cu")) {
      guard_counted = line["counters"]["thread_instructions"] > 0;
    }
  }
  CHECK(guard_counted);
}

TEST_CASE("Scalars and structures arrive bit for bit", "[ci]") {
  const TemporaryFolder folder;
  const std::string file = folder.write("scalars.cu", kScalars);
  std::string q(8, '\0');
  const int a = -7;
  const float b = 0.5f;
  std::memcpy(q.data(), &a, 4);
  std::memcpy(q.data() + 4, &b, 4);
  const std::string structure = folder.write("q.bin", q);
  const std::string out = (folder.path() / "out.bin").string();
  const bool typed = GENERATE(true, false);
  std::vector<std::string> arguments{"--arg", "out:40=" + out};
  const char* const types[] = {"i8:", "u16:", "i32:", "i64:", "f32:", "f64:"};
  const char* const numbers[] = {"-5",   "65535", "0x7fffffff", "-9223372036854775808",
                                 "1e-3", "0.1"};
  for (int i = 0; i < 6; ++i)
    arguments.insert(arguments.end(), {"--arg", (typed ? types[i] : "") + std::string(numbers[i])});
  arguments.insert(arguments.end(), {"--arg", "bytes:" + structure});
  const Outcome done = launch(file, arguments);
  CAPTURE(done.err);
  REQUIRE(done.code == 0);
  const std::string bytes = read_whole(out);
  REQUIRE(bytes.size() == 40);
  const auto at = [&]<class T>(std::size_t offset, T) {
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
  };
  CHECK(static_cast<signed char>(bytes[0]) == -5);
  CHECK(at(2, std::uint16_t{}) == 65535);
  CHECK(at(4, 0) == 0x7fffffff);
  CHECK(at(8, std::int64_t{}) == std::numeric_limits<std::int64_t>::min());
  CHECK(at(16, 0.0f) == 1e-3f);
  CHECK(at(24, 0.0) == 0.1);
  CHECK(bytes.substr(32) == q);
}

TEST_CASE("Half and bfloat16 arguments are rounded to nearest even", "[ci]") {
  const TemporaryFolder folder;
  const std::string file = folder.write("halves.cu", R"(
#include <cuda_fp16.h>
#include <cuda_bf16.h>
__global__ void halves(unsigned short* out, __half h, __nv_bfloat16 b) {
  out[0] = __half_as_ushort(h);
  out[1] = __bfloat16_as_ushort(b);
})");
  struct Case {
    const char* number;
    std::uint16_t half, bfloat;
  };
  const auto c =
      GENERATE(Case{"1", 0x3c00, 0x3f80}, Case{"-2", 0xc000, 0xc000}, Case{"65504", 0x7bff, 0x4780},
               Case{"65520", 0x7c00, 0x4780}, Case{"1e-7", 0x0002, 0x33d7},
               Case{"inf", 0x7c00, 0x7f80}, Case{"0.1", 0x2e66, 0x3dcd});
  const std::string out = (folder.path() / "out.bin").string();
  CAPTURE(c.number);
  const Outcome done =
      launch(file, {"--arg", "out:4=" + out, "--arg", std::string("f16:") + c.number, "--arg",
                    std::string("bf16:") + c.number});
  CAPTURE(done.err);
  REQUIRE(done.code == 0);
  CHECK(values_of<std::uint16_t>(read_whole(out)) == std::vector{c.half, c.bfloat});
}

TEST_CASE("Each launch that CUDA would refuse is refused in one line with code 1") {
  const TemporaryFolder folder;
  const std::string file = folder.write("bump.ptx", kBump);
  struct Case {
    std::vector<std::string> flags;
    const char* error;
    device::MessageArgument argument;
  };
  const std::vector<std::string> good{"--arg", "out:16", "--arg", "4"};
  const auto c = GENERATE(
      Case{{"--grid", "0"},
           "invalid_configuration",
           {"why", why("empty-grid", {{"grid", "0 x 1 x 1"}})}},
      Case{
          {"--block", "1025"},
          "invalid_configuration",
          {"why", why("block-extent",
                      {{"block", "1025 x 1 x 1"}, {"gpu", "H200"}, {"most", "1024 x 1024 x 64"}})}},
      Case{{"--block", "1,1,65"},
           "invalid_configuration",
           {"why", why("block-extent",
                       {{"block", "1 x 1 x 65"}, {"gpu", "H200"}, {"most", "1024 x 1024 x 64"}})}},
      Case{{"--grid", "1,65536"},
           "invalid_configuration",
           {"why", why("grid-extent", {{"grid", "1 x 65536 x 1"},
                                       {"gpu", "H200"},
                                       {"most", "2147483647 x 65535 x 65535"}})}},
      Case{{"--shared", "232449"},
           "invalid_value",
           {"why", why("shared", {{"bytes", 232449},
                                  {"fixed", 0},
                                  {"dynamic", 232449},
                                  {"gpu", "H200"},
                                  {"most", 232448}})}},
      Case{{"--gpu", "t4", "--shared", "65537"},
           "invalid_value",
           {"why", why("shared", {{"bytes", 65537},
                                  {"fixed", 0},
                                  {"dynamic", 65537},
                                  {"gpu", "T4"},
                                  {"most", 65536}})}},
      Case{{"--cooperative", "--grid", "5000", "--block", "1024"},
           "cooperative_too_large",
           {"why", why("cooperative", {{"blocks", 5000},
                                       {"gpu", "H200"},
                                       {"resident", 264},
                                       {"each", 2},
                                       {"multiprocessors", 132},
                                       {"limiter", "threads"},
                                       {"most", 264}})}});
  auto flags = c.flags;
  flags.insert(flags.end(), good.begin(), good.end());
  check_refused(launch(file, flags), 1, c.error, {c.argument});
  check_refused(launch(file, {"--gpu", "l4", "--cluster", "2", "--grid", "2", "--arg", "out:16",
                              "--arg", "4"}),
                1, "not_supported",
                {{"what", device::Message{"phrase.what.cluster", {{"blocks", "2 x 1 x 1"}}, {}}},
                 {"device", "L4"}});
}

TEST_CASE("Too few, too many and wrongly typed arguments are refused with the signature") {
  const TemporaryFolder folder;
  const std::string file = folder.write("bump.ptx", kBump);
  for (const std::vector<std::string>& given :
       {std::vector<std::string>{}, {"out:16"}, {"out:16", "4", "5"}}) {
    std::vector<std::string> flags;
    for (const std::string& one : given) flags.insert(flags.end(), {"--arg", one});
    check_refused(
        launch(file, flags), 1, "argument_count",
        {{"kernel", "bump"}, {"count", 2}, {"got", given.size()}, {"signature", "int*, int"}});
  }
  struct Case {
    const char *first, *second;
    int index;
    const char *expected, *got, *remedy;
  };
  const auto c =
      GENERATE(Case{"5", "4", 1, "int* (a pointer)", "the number 5", "a buffer or null"},
               Case{"out:16", "f32:4", 2, "int (an integer of 32 bits)", "f32", "i32 or u32"},
               Case{"out:16", "null", 2, "int (an integer of 32 bits)", "a pointer", "i32 or u32"});
  check_refused(launch(file, {"--arg", c.first, "--arg", c.second}), 1, "argument_type",
                {{"index", c.index},
                 {"kernel", "bump"},
                 {"expected", c.expected},
                 {"got", c.got},
                 {"remedy", c.remedy}});
}

TEST_CASE("An argument that cannot be read is bad usage") {
  const TemporaryFolder folder;
  const std::string file = folder.write("bump.ptx", kBump);
  struct Case {
    const char* argument;
    device::Message reason;
  };
  const auto range = [](const char* type, const char* least, const char* most) {
    return why("range", {{"type", type}, {"least", least}, {"most", most}});
  };
  const auto c =
      GENERATE_COPY(Case{"i32:five", why("no-whole-number", {{"type", "i32"}})},
                    Case{"i32:2147483648", range("i32", "-2147483648", "2147483647")},
                    Case{"u8:-1", range("u8", "0", "255")},
                    Case{"u8:1.5", why("no-whole-number", {{"type", "u8"}})},
                    Case{"f32:1e99", why("reach", {{"type", "f32"}})},
                    Case{"f64:", why("no-number", {{"type", "f64"}})},
                    Case{"i33:5", why("argument-forms")}, Case{"pear", why("argument-forms")},
                    Case{"out:many", why("bytes")}, Case{"out:16=", why("no-file-after")});
  check_refused(launch(file, {"--arg", c.argument}), 2, "bad_argument",
                {{"text", c.argument}, {"why", c.reason}});
}

TEST_CASE("A plain number that does not suit its parameter is bad usage") {
  const TemporaryFolder folder;
  const std::string file = folder.write("bump.ptx", kBump);
  check_refused(launch(file, {"--arg", "out:16", "--arg", "2.5"}), 2, "bad_argument",
                {{"text", "2.5"}, {"why", why("no-whole-number", {{"type", "i32"}})}});
}

TEST_CASE("Flags that cannot be read are bad usage") {
  const TemporaryFolder folder;
  const std::string file = folder.write("bump.ptx", kBump);
  const auto flags = GENERATE(
      std::vector<std::string>{"--grid", "x"}, std::vector<std::string>{"--block", "1,2,3,4"},
      std::vector<std::string>{"--block", "-1"}, std::vector<std::string>{"--grid", "99999999999"},
      std::vector<std::string>{"--shared", "-1"}, std::vector<std::string>{"--nonsense"},
      std::vector<std::string>{"--gpu", "voodoo"},
      std::vector<std::string>{"--host-threads", "many"});
  const Outcome refused = launch(file, flags);
  CAPTURE(flags, refused.err);
  CHECK(refused.code == 2);
  CHECK(refused.err.starts_with("warpbook: "));
  CHECK(std::count(refused.err.begin(), refused.err.end(), '\n') == 1);
  CHECK(refused.out.empty());
}

TEST_CASE("Files that are none, cannot be read or are no text are bad usage") {
  const TemporaryFolder folder;
  const std::string missing = (folder.path() / "missing.ptx").string();
  const Outcome none = launch(missing, {});
  CHECK(none.code == 2);
  CHECK_THAT(none.err, Says("error.file_unreadable.long", {{"file", missing}}));
  const std::string binary = folder.write("binary.ptx", std::string("\x7f"
                                                                    "ELF\x02\x01\x01\0\0\0",
                                                                    10));
  check_refused(launch(binary, {}), 2, "not_text", {{"file", binary}});
  const std::string other = folder.write("kernel.txt", kBump);
  check_refused(launch(other, {}), 2, "bad_argument",
                {{"text", other}, {"why", why("launch-file")}});
  const std::string bump = folder.write("bump.ptx", kBump);
  const Outcome no_input = launch(bump, {"--arg", "in:" + missing, "--arg", "1"});
  CHECK(no_input.code == 2);
  CHECK_THAT(no_input.err, Says("error.file_unreadable.long", {{"file", missing}}));
}

TEST_CASE("PTX cut off anywhere is refused or runs, and never hangs or crashes") {
  const TemporaryFolder folder;
  const std::string whole = kBump;
  const auto part = GENERATE(Catch::Generators::range(0, 20));
  const std::size_t size = whole.size() * static_cast<std::size_t>(part) / 20;
  const std::string file = folder.write("cut.ptx", whole.substr(0, size));
  const Outcome refused = launch(file, {"--arg", "out:16", "--arg", "4"});
  CAPTURE(size, refused.err);
  CHECK(refused.code == 1);
  CHECK(refused.err.starts_with("warpbook: "));
  CHECK(std::count(refused.err.begin(), refused.err.end(), '\n') == 1);
}

TEST_CASE("A kernel name that is missing or not there is answered with those there are") {
  const TemporaryFolder folder;
  const std::string two = folder.write(
      "two.ptx", std::string(kBump) + ".visible .entry endless()\n{\nA:\n  bra A;\n}\n");
  check_refused(launch(two, {}), 1, "ambiguous_kernel", {{"known", "bump, endless"}});
  check_refused(launch(two, {"--kernel", "bmup"}), 1, "no_such_kernel",
                {{"name", "bmup"}, {"known", "bump, endless"}});
  CHECK(launch(two, {"--kernel", "bump", "--arg", "out:4", "--arg", "1"}).code == 0);
  CHECK(launch(two, {"--kernel", "_Z4bumpPii", "--arg", "out:4", "--arg", "1"}).code == 0);
  const std::string none =
      folder.write("none.ptx", ".version 8.0\n.target sm_75\n.address_size 64\n");
  check_refused(launch(none, {}), 1, "no_kernel", {{"file", none}});
}

TEST_CASE("An endless loop ends by the timeout, with what was printed and what to look for") {
  const TemporaryFolder folder;
  const std::string file = folder.write("endless.ptx", kEndless);
  const Outcome stopped = launch(file, {"--timeout", "0.2"});
  CHECK(stopped.code == 1);
  CHECK_THAT(stopped.err, Says("error.budget_time.long"));
  CHECK(std::count(stopped.err.begin(), stopped.err.end(), '\n') == 1);
}

TEST_CASE("A write past the end names the argument, the element, the thread and the block") {
  const TemporaryFolder folder;
  const std::string file = folder.write("bump.ptx", kBump);
  const Outcome past = launch(file, {"--block", "32", "--arg", "out:16", "--arg", "5", "--json"});
  CHECK(past.code == 1);
  CHECK(past.err.find("arg1[4]") != std::string::npos);
  CHECK(past.err.find("thread 4 of block 0") != std::string::npos);
  const json report = json::parse(past.out);
  REQUIRE(!report["errors"].empty());
  CHECK(report["errors"][0]["arguments"]["name"] == "arg1");
}

TEST_CASE("A null pointer is a finding, not a crash") {
  const TemporaryFolder folder;
  const std::string file = folder.write("bump.ptx", kBump);
  const Outcome null = launch(file, {"--arg", "null", "--arg", "1"});
  CHECK(null.code == 1);
  CHECK_THAT(null.err, Says("error.null_access.long", {{"thread", 0}, {"block", 0}}));
}

TEST_CASE("With --json a refusal is JSON too") {
  const TemporaryFolder folder;
  const std::string file = folder.write("bump.ptx", kBump);
  const Outcome refused = launch(file, {"--grid", "0", "--arg", "out:4", "--arg", "1", "--json"});
  CHECK(refused.code == 1);
  const json report = json::parse(refused.out);
  REQUIRE(report["errors"].size() == 1);
  CHECK(report["errors"][0]["code"] == "invalid_configuration");
}

TEST_CASE(
    "Source that does not compile is refused at its line, and --json has every word of the "
    "compiler",
    "[ci]") {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "broken.cu", "__global__ void k(int* x) {\n  *x = undeclared;\n}\nint main() {}\n");
  const Outcome refused = launch(file, {"--arg", "out:4"});
  CHECK(refused.code == 1);
  CHECK(refused.err.find("broken.cu") != std::string::npos);
  CHECK(refused.err.find("undeclared") != std::string::npos);
  CHECK(std::count(refused.err.begin(), refused.err.end(), '\n') == 1);
  const json report = json::parse(launch(file, {"--arg", "out:4", "--json"}).out);
  REQUIRE(!report["diagnostics"].empty());
  CHECK(report["diagnostics"][0]["place"]["line"] == 2);
}

TEST_CASE("The flags --define, --arch and --seed reach the compiler and the machine", "[ci]") {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "define.cu", "__global__ void k(int* x) { x[0] = VALUE; x[1] = __CUDA_ARCH__; }\n");
  const std::string out = (folder.path() / "out.bin").string();
  const Outcome done = launch(
      file, {"--define", "VALUE=42", "--arch", "sm_80", "--seed", "3", "--arg", "out:8=" + out});
  CAPTURE(done.err);
  REQUIRE(done.code == 0);
  CHECK(values_of<int>(read_whole(out)) == std::vector{42, 800});
  CHECK(launch(file, {"--define", "VALUE=1\n2", "--arg", "out:8"}).code == 2);
  CHECK(launch(file, {"--define", "VALUE=1", "--arch", "sm_12", "--arg", "out:8"}).code == 2);
  CHECK(launch(file, {"--define", "VALUE=1", "--arch", "pascal", "--arg", "out:8"}).code == 2);
}

}  // namespace warpbook::tests::launch_test
