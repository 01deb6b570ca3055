// A whole program beside the calls of a run: which lines are calls, and which of the run's calls each of them has.
#include "lab/document/program.hpp"

#include <catch2/catch_test_macros.hpp>

#include "tests/key_strings.hpp"

namespace warpbook::tests::program_test {
namespace {

using namespace warpbook::lab;

// The lines of each call, its name, and what a run calls it.
std::string said(std::string_view text) {
  std::string all;
  for (const ProgramCall& call : program_calls(text)) {
    all += (all.empty() ? "" : "; ") + std::to_string(call.line) +
           (call.last == call.line ? "" : "-" + std::to_string(call.last)) + " " + call.name +
           (call.host_call.empty() ? "" : " " + call.host_call);
  }
  return all;
}

/// A report whose exhibit "calls" lists these calls.
Report run_of(const std::vector<std::string>& calls) {
  std::vector<Message> lines;
  for (const std::string& call : calls)
    lines.push_back({"phrase.calls." + call, {{"rest", " x 4 B"}}, {}});
  Report report;
  report.exhibits = {
      {"calls",
       Message::plain("Calls"),
       {},
       TextExhibit{
           {"run.calls.list", {{"calls", Message::list_of("list.lines", std::move(lines))}}, {}},
           true}}};
  return report;
}

const CodeBlock kProgram{"cuda",
                         "__global__ void k(int* x) {}\n"
                         "int main() {\n"
                         "  cudaMalloc(&x, 4);\n"
                         "\n"
                         "  k<<<1, 1>>>(x);\n"
                         "  cudaGetLastError();\n"
                         "  cudaFree(\n"
                         "      x);\n"
                         "}\n",
                         "lessons/x/program/k.cu", "calls"};

// The calls beside the lines, by the line's number.
std::string beside(const std::vector<ProgramLine>& lines) {
  std::string all;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].call.empty())
      all += (all.empty() ? "" : "; ") + std::to_string(i) + " " + lines[i].call.key;
  }
  return all;
}

}  // namespace

TEST_CASE("A program's calls are found in their order, each with what a run calls it") {
  CHECK(said("int* x;\ncudaMalloc(&x, 4); cudaMemset(x, 0, 4);\ncudaFree(x);\n") ==
        "1 cudaMalloc allocate; 1 cudaMemset fill; 2 cudaFree release");
  CHECK(said("k<<<1, 2>>>(x);\nCHECK(cudaGetLastError());\nCHECK(cudaDeviceSynchronize());") ==
        "0 <<< launch; 1 cudaGetLastError; 2 cudaDeviceSynchronize synchronise");
  CHECK(said("__global__ void k() {}") == "0 __global__ load");
}

TEST_CASE("The direction of a copy may stand on a later line of its statement") {
  CHECK(said("cudaMemcpy(d, h, 4,\n           cudaMemcpyHostToDevice);\n"
             "cudaMemcpy(h, d, 4, cudaMemcpyDeviceToHost);\n"
             "cudaMemcpy(d, e, 4, cudaMemcpyDeviceToDevice);\n"
             "cudaMemcpy(d, e, 4, direction);") ==
        "0-1 cudaMemcpy copy_in; 2 cudaMemcpy copy_out; 3 cudaMemcpy copy; 4 cudaMemcpy");
}

TEST_CASE("Comments, strings, characters and macros call nothing") {
  CHECK(said("// cudaFree(x)\n/* cudaFree(x)\n cudaFree(y) */ cudaFree(z);") ==
        "2 cudaFree release");
  CHECK(said("puts(\"cudaFree(x) \\\" cudaFree(y)\"); char c = '\"'; cudaFree(z);") ==
        "0 cudaFree release");
  CHECK(said("#define CHECK(call) \\\n  cudaGetErrorString(call)\nCHECK(cudaFree(x));") ==
        "2 cudaFree release");
  CHECK(said("cudaError_t error = cudaSuccess; my_cudaFree(x);").empty());
}

TEST_CASE("Each call of a run stands at the line that makes it, and others have none") {
  const Report whole = run_of({"load", "allocate", "launch", "release"});
  const auto lines = program_lines(kProgram, &whole);
  REQUIRE(lines.size() == 9);
  CHECK(lines[3].code.empty());
  CHECK(beside(lines) ==
        "0 phrase.calls.load; 2 phrase.calls.allocate; 4 phrase.calls.launch; "
        "7 phrase.calls.release");
}

TEST_CASE("A run that ended early, or made other calls, leaves lines without theirs") {
  const Report early = run_of({"load", "allocate"});
  CHECK(beside(program_lines(kProgram, &early)) == "0 phrase.calls.load; 2 phrase.calls.allocate");
  const Report other = run_of({"load", "fill", "launch"});
  CHECK(beside(program_lines(kProgram, &other)) == "0 phrase.calls.load");
  CHECK(beside(program_lines(kProgram, nullptr)).empty());
  CHECK(beside(program_lines(kProgram, std::make_unique<Report>().get())).empty());
}

TEST_CASE(
    "Calls stand in one column beside the code, or under their lines where that is too wide") {
  const Report whole = run_of({"load", "allocate", "launch", "release"});
  const auto strings = key_strings();
  const auto wide = set_program(kProgram, &whole, *strings, 200);
  REQUIRE(wide.size() == 9);
  for (const SetProgramLine& line : wide) {
    if (line.call.empty()) continue;
    CHECK((line.code + line.call).find("document.program-call") ==
          std::string_view("__global__ void k(int* x) {}").size() + 2);
  }
  const auto narrow = set_program(kProgram, &whole, *strings, 40);
  CHECK(narrow[6].call.empty());
  CHECK(narrow[7].call.starts_with("\n        document.program-call"));
  CHECK(narrow[2].call.starts_with("\n    document.program-call"));
  CHECK(narrow[3].call.empty());
}

}  // namespace warpbook::tests::program_test
