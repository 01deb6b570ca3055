#include "device/compiler/nvrtc.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <memory>

#include "device/symbol.hpp"

namespace warpbook::device {

// Signatures as in nvrtc.h of CUDA 13; a program is an opaque pointer. Declared here so that
// building Warpbook needs no CUDA toolkit.
struct Nvrtc::Functions {
  using Program = struct OpaqueProgram*;
  const char* (*error_string)(int);
  int (*version)(int*, int*);
  int (*count_architectures)(int*);
  int (*architectures)(int*);
  int (*create)(Program*, const char*, const char*, int, const char* const*, const char* const*);
  int (*destroy)(Program*);
  int (*compile)(Program, int, const char* const*);
  int (*ptx_size)(Program, std::size_t*);
  int (*ptx)(Program, char*);
  int (*cubin_size)(Program, std::size_t*);
  int (*cubin)(Program, char*);
  int (*log_size)(Program, std::size_t*);
  int (*log)(Program, char*);
  int (*add_name)(Program, const char*);
  int (*lowered_name)(Program, const char*, const char**);
};

namespace {

tl::unexpected<Error> nvrtc_missing(Message detail) {
  return failure(ErrorCode::compiler_missing, {{"detail", std::move(detail)}});
}

Message loader_error() {
  const char* text = ::dlerror();
  return text != nullptr ? Message::plain(text) : Message{"phrase.detail.loader", {}, {}};
}

std::vector<const char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<const char*> pointers;
  pointers.reserve(texts.size());
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  return pointers;
}

// PTX and logs end in a zero that counts; a cubin does not.
template <class Program>
std::string text_from(Program program, int (*size_of_it)(Program, std::size_t*),
                      int (*get)(Program, char*)) {
  std::size_t size = 0;
  if (size_of_it(program, &size) != kNvrtcSuccess || size == 0) return {};
  std::string text(size, '\0');
  if (get(program, text.data()) != kNvrtcSuccess) return {};
  return text;
}

void drop_final_zero(std::string& text) {
  if (!text.empty() && text.back() == '\0') text.pop_back();
}

}  // namespace

Expected<Nvrtc> Nvrtc::open(const Toolkit& toolkit) {
  if (::dlopen(toolkit.builtins.c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr)
    return nvrtc_missing(loader_error());
  void* library = ::dlopen(toolkit.library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nvrtc_missing(loader_error());

  // Lives as long as the library, which is never unloaded: NVRTC leaves threads' and exit handlers'
  // state behind.
  static Functions f;
  const bool complete = take_symbol(library, "nvrtcGetErrorString", f.error_string) &&
                        take_symbol(library, "nvrtcVersion", f.version) &&
                        take_symbol(library, "nvrtcGetNumSupportedArchs", f.count_architectures) &&
                        take_symbol(library, "nvrtcGetSupportedArchs", f.architectures) &&
                        take_symbol(library, "nvrtcCreateProgram", f.create) &&
                        take_symbol(library, "nvrtcDestroyProgram", f.destroy) &&
                        take_symbol(library, "nvrtcCompileProgram", f.compile) &&
                        take_symbol(library, "nvrtcGetPTXSize", f.ptx_size) &&
                        take_symbol(library, "nvrtcGetPTX", f.ptx) &&
                        take_symbol(library, "nvrtcGetCUBINSize", f.cubin_size) &&
                        take_symbol(library, "nvrtcGetCUBIN", f.cubin) &&
                        take_symbol(library, "nvrtcGetProgramLogSize", f.log_size) &&
                        take_symbol(library, "nvrtcGetProgramLog", f.log) &&
                        take_symbol(library, "nvrtcAddNameExpression", f.add_name) &&
                        take_symbol(library, "nvrtcGetLoweredName", f.lowered_name);
  if (!complete)
    return nvrtc_missing({"phrase.detail.not-whole",
                          {{"file", toolkit.library.string()}, {"why", loader_error()}},
                          {}});

  Nvrtc nvrtc;
  nvrtc.functions_ = &f;
  if (f.version(&nvrtc.major_, &nvrtc.minor_) != kNvrtcSuccess || nvrtc.major_ != kCudaMajor) {
    return nvrtc_missing(Message{"phrase.detail.nvrtc-version",
                                 {{"file", toolkit.library.string()},
                                  {"major", nvrtc.major_},
                                  {"minor", nvrtc.minor_},
                                  {"needed", kCudaMajor}},
                                 {}});
  }
  return nvrtc;
}

std::vector<int> Nvrtc::architectures() const {
  int count = 0;
  if (functions_->count_architectures(&count) != kNvrtcSuccess || count <= 0) return {};
  std::vector<int> known(static_cast<std::size_t>(count));
  if (functions_->architectures(known.data()) != kNvrtcSuccess) return {};
  return known;
}

NvrtcResult Nvrtc::compile(const NvrtcJob& job) const {
  const Functions& f = *functions_;
  NvrtcResult result;
  const auto failed = [&](int code) {
    result.code = code;
    result.error = f.error_string(code);
    return code != kNvrtcSuccess;
  };

  std::vector<const char*> header_names, header_texts;
  for (const auto& [name, text] : job.headers) {
    header_names.push_back(name.c_str());
    header_texts.push_back(text.c_str());
  }
  Functions::Program raw = nullptr;
  if (failed(f.create(&raw, job.source.c_str(), job.name.c_str(),
                      static_cast<int>(header_names.size()), header_texts.data(),
                      header_names.data()))) {
    return result;
  }
  const auto destroy = [&f](Functions::Program program) { f.destroy(&program); };
  const std::unique_ptr<OpaqueProgram, decltype(destroy)> program(raw, destroy);

  for (const std::string& expression : job.name_expressions) {
    if (failed(f.add_name(raw, expression.c_str()))) return result;
  }
  const std::vector<const char*> options = pointers_to(job.options);
  const bool bad = failed(f.compile(raw, static_cast<int>(options.size()), options.data()));
  result.log = text_from(raw, f.log_size, f.log);
  drop_final_zero(result.log);
  if (bad) return result;

  result.ptx = text_from(raw, f.ptx_size, f.ptx);
  drop_final_zero(result.ptx);
  if (job.cubin) result.cubin = text_from(raw, f.cubin_size, f.cubin);
  for (const std::string& expression : job.name_expressions) {
    const char* lowered = nullptr;
    if (failed(f.lowered_name(raw, expression.c_str(), &lowered))) return result;
    result.lowered.emplace_back(expression, lowered);
  }
  return result;
}

}  // namespace warpbook::device
