#include "tests/device/runtime/libraries/libraries_page.hpp"

#include <fstream>
#include <iterator>
#include <regex>
#include <string_view>

#include <fmt/format.h>

namespace warpbook::tests {
namespace {

const char* const kIncludes = WARPBOOK_SOURCE_DIR "/device/runtime/libraries/include/";

/// The text with a line's end in place of spaces, so that no line is longer than the page's other ones.
std::string wrapped(std::string_view text) {
  constexpr std::size_t kColumns = 120;
  std::string lines;
  while (text.size() > kColumns) {
    const std::size_t end = text.rfind(' ', kColumns);
    if (end == text.npos) break;
    lines += text.substr(0, end);
    lines += '\n';
    text.remove_prefix(end + 1);
  }
  return lines + std::string(text);
}

}  // namespace

const std::vector<DropIn>& drop_ins() {
  static const std::vector<DropIn> all{
      {"cublas",
       "cuBLAS",
       "libcublas.so.13",
       {"cublas_api.h", "cublas.h"},
       "Programs include `cublas_v2.h`, which has most functions without the ending `_v2`, or "
       "`cublas.h`, which has them as they were before cuBLAS had handles. Float "
       "and double are computed in their own precision, whatever the math mode. `cublasGemmEx` "
       "and its like take halves or bfloat16 with sums in float, bytes with sums in int32, and "
       "equal types of float or double; complex numbers are not there."},
      {"cudnn",
       "cuDNN",
       "libcudnn.so.9",
       {"cudnn.h"},
       "Tensors have four dimensions, of float or double, in NCHW, NHWC or with strides of their "
       "own. Every algorithm of a forward convolution is computed by the same kernel, without a "
       "workspace, and none is measured: their times are -1. Layers run forward only."},
      {"cufft",
       "cuFFT",
       "libcufft.so.12",
       {"cufft.h"},
       "One to three dimensions of any size. A size with a large prime factor p takes p "
       "multiplications for each element, so it takes long."},
      {"curand",
       "cuRAND",
       "libcurand.so.10",
       {"curand.h"},
       "The generators are XORWOW, MRG32k3a and Philox4_32-10, each with the numbers that "
       "NVIDIA's gives for a seed, an offset and an order; MTGP32, MT19937 and the quasi-random "
       "ones answer `CURAND_STATUS_TYPE_ERROR`, and the seeded order "
       "`CURAND_STATUS_OUT_OF_RANGE`. Poisson numbers have the right distribution, but are not "
       "NVIDIA's sequence. cuRAND's side on the device, `curand_kernel.h`, is NVIDIA's header and "
       "runs as it is."},
  };
  return all;
}

std::vector<std::string> functions_in(const DropIn& library) {
  const std::regex declaration("\\b(" + library.name + "[A-Z]\\w*)\\(");
  std::vector<std::string> names;
  for (const std::string& header : library.headers) {
    std::ifstream stream(kIncludes + header, std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(stream), {});
    for (std::sregex_iterator at(text.begin(), text.end(), declaration), end; at != end; ++at)
      names.push_back((*at)[1]);
  }
  return names;
}

std::string libraries_page() {
  std::string page =
      "# CUDA's libraries without a GPU\n\n" +
      wrapped(
          "A program that `warpbook program` or `warpbook exec` runs may call cuBLAS, cuRAND, "
          "cuFFT and cuDNN: small libraries of Warpbook's own stand in their place, and their "
          "kernels run on the simulated GPU, so that the report and the timeline show them under "
          "the library's name. Nobody has to name them to the linker. This page lists the "
          "functions that are there, which do what NVIDIA documents. A program that calls another "
          "one is told its name when it is linked. Where NVIDIA's headers are in a CUDA toolkit, "
          "or `./warpbook fetch libraries` brought them, programs are compiled with those; "
          "otherwise with headers of ours, which declare these functions alone. The page is made "
          "from the headers in `device/runtime/libraries/include/`, and a test holds it against "
          "them (`WARPBOOK_FIX=1` writes it anew).") +
      "\n\n" +
      wrapped(
          "Thrust, CUB, cooperative groups and cuRAND's side on the device are headers, whose "
          "code is compiled into the program; they run as they are.") +
      "\n";
  for (const DropIn& library : drop_ins()) {
    std::string names;
    const auto functions = functions_in(library);
    for (const std::string& function : functions)
      names += fmt::format("{}`{}`", names.empty() ? "" : ", ", function);
    page += fmt::format("\n## {}\n\n{}\n\n{}\n", library.title, wrapped(library.limits),
                        wrapped(fmt::format("{} functions: {}.", functions.size(), names)));
  }
  return page;
}

}  // namespace warpbook::tests
