"""Kernels compiled as pieces, which are linked and made executable once, where Python calls.

numba gives each function it compiles wrappers for Python and for C, optimises it and makes it executable, and then
links its code into every caller, to be optimised again. Of several hundred kernels Python calls a few, so here
a kernel has two faces:

- its *piece* is what other kernels call: typed and lowered to LLVM's language, and left at that;
- its *entry* is what Python calls. Its code only calls the piece. Its library links every piece that it can run once,
  hides all of them, so that LLVM may inline and drop what it likes, and is optimised and made executable as a whole.

The scoring functions of strategies, which kernels call by address, are entries too. So is a *shared* kernel, the step
of a game, which holds nearly all its code: other entries call its machine code by a name that the linker is told,
so that it is made once and not once for each of them.

All this leans on the inside of numba, as it is in one version (`sim.compiler.cache.LINKING_KNOWS`). With any other,
kernels are compiled by plain `numba.njit` (`sim.compiler.kernel`): slower to compile and to play, with the same games.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import hashlib
import importlib
import inspect
import operator
from collections.abc import Callable, Iterator
from typing import Any

import numba
from llvmlite import binding as llvm
from numba import types
from numba.core import cgutils
from numba.core.codegen import JITCodeLibrary, RuntimeLinker
from numba.core.compiler import CompilerBase, DefaultPassBuilder, Flags
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.dispatcher import _FunctionCompiler  # type: ignore[attr-defined]
from numba.core.environment import lookup_environment
from numba.core.imputils import lower_builtin
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import NativeLowering
from numba.np import arrayobj

from sim.compiler.source_digest import loops_stay

numba_settings: Any = numba.config
"""numba's settings, whose names type checkers do not see."""

POINTER = RuntimeLinker.PREFIX
"""How the names of pointers begin through which numba lets functions call themselves."""

Widen = Callable[[Any], Any]
"""Returns the type a kernel is compiled for where it is called with another."""
Digest = Callable[[Callable[..., Any]], str]
"""Tells code apart: its digest."""


class _Library(JITCodeLibrary):
    """A library that knows the pieces below those it links, each once."""

    def add_linking_library(self, library: Any) -> None:
        library._ensure_finalized()
        below = library._linking_libraries if isinstance(library, _PieceLibrary) else ()
        known = set(self._linking_libraries)
        self._linking_libraries.extend(each for each in (library, *below) if each not in known)


class _PieceLibrary(_Library):
    """One kernel's own code, only to be linked."""

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._finalize_dynamic_globals()
        self._finalized = True
        for function in self.get_defined_functions():
            _pieces[POINTER + function.name] = self

    def recursive_calls(self) -> list[str]:
        """Names of the pointers through which it calls what calls it, directly or not."""
        names = (variable.name for variable in self._final_module.global_variables)
        return [name for name in names if name.startswith(POINTER)]


_pieces: dict[str, _PieceLibrary] = {}
"""Pieces by the name of the pointer through which they would be called in recursion."""


class _EntryLibrary(_Library):
    """All code that one entry can run."""

    loops_stay = False

    def finalize(self) -> None:
        self._raise_if_finalized()
        module = self._final_module
        own = {function.name for function in self.get_defined_functions()}
        self._define_pointers()
        for library in self._linking_libraries:
            self._reload_init.update(library._reload_init)
            if any(library.get_defined_functions()):
                module.link_in(library._get_module_for_linking(), preserve=True)
        for value in (*self.get_defined_functions(), *module.global_variables):
            if value.name.startswith(POINTER) or (value.is_function and value.name not in own):
                value.linkage = "internal"
        self._optimize_final_module()
        module.verify()
        self._finalize_final_module()
        self._set_environments()

    def _define_pointers(self) -> None:
        """Define the pointers of recursive calls, and add the pieces that they point to.

        Such a piece was not compiled before its caller, so it may not be among the libraries yet.
        """
        module = self._final_module
        pointers: dict[str, None] = {}
        for library in self._linking_libraries:
            if isinstance(library, _PieceLibrary):
                for pointer in library.recursive_calls():
                    pointers[pointer] = None
                    self.add_linking_library(_pieces[pointer])
        lines = [f'target triple = "{module.triple}"', f'target datalayout = "{module.data_layout}"']
        for pointer in pointers:
            function = pointer.removeprefix(POINTER)
            lines += [f'declare i32 @"{function}"()', f'@"{pointer}" = constant ptr @"{function}"']
        module.link_in(llvm.parse_assembly("\n".join(lines)))

    def _optimize_final_module(self) -> None:
        # numba's own first, cheap pass is there for counting references, of which kernels have none.
        if self.loops_stay:
            builder = llvm.create_pass_builder(self._codegen._tm, _with_loops_as_they_are())
            manager = builder.getModulePassManager()
        else:
            manager, builder = self._codegen._module_pass_manager()
        manager.run(self._final_module, builder)

    def _set_environments(self) -> None:
        """Let the pieces find what numba keeps for each function."""
        codegen: Any = self._codegen
        for variable in self._final_module.global_variables:
            if variable.name.startswith("_ZN08NumbaEnv"):
                environment = lookup_environment(variable.name)
                if environment is not None:
                    codegen.set_env(variable.name, environment)


def _with_loops_as_they_are() -> llvm.PipelineTuningOptions:
    """Return numba's way to optimise, but that loops are not made into copies for several turns or numbers."""
    tuning = llvm.create_pipeline_tuning_options(int(numba_settings.OPT))
    tuning.loop_vectorization = tuning.slp_vectorization = tuning.loop_unrolling = tuning.loop_interleaving = False
    return tuning


@lower_builtin(operator.contains, types.UniTuple, types.Integer)
def _is_one_of(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Lower `number in (a, b, c)` to comparisons without a branch; numba's own is a loop."""
    kinds, kind = signature.args
    called = context.typing_context.resolve_function_type(operator.eq, (kinds.dtype, kind), {})
    same = context.get_function(operator.eq, called)
    number = context.cast(builder, arguments[1], kind, called.args[1])
    found = context.get_constant(types.boolean, False)
    for each in cgutils.unpack_tuple(builder, arguments[0]):
        found = builder.or_(found, same(builder, (context.cast(builder, each, kinds.dtype, called.args[0]), number)))
    return found


class _Piece:
    """Stands for the executable function that a piece has not."""


@contextlib.contextmanager
def no_index_wraparound() -> Iterator[None]:
    """Lower places in arrays without numba's look at each whether it is below 0 and counts from the end.

    The kernels of the project have none such; with bounds checked, one is an IndexError.
    """

    def kept(context: Any, builder: Any, kind: Any, index: Any, _: Any) -> Any:
        return context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)

    usual = arrayobj.fix_integer_index
    arrayobj.fix_integer_index = kept
    try:
        yield
    finally:
        arrayobj.fix_integer_index = usual


@register_pass(mutates_CFG=True, analysis_only=False)
class _PieceLowering(NativeLowering):
    """Lowers a kernel to a piece and makes it known to its callers."""

    _name = "empirelab_piece_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = _new_library(_PieceLibrary, state)
        with contextlib.nullcontext() if state.flags.nrt else no_index_wraparound():
            super().run_pass(state)
        state.library.finalize()
        piece = _Piece()
        state.targetctx.insert_user_function(piece, state.cr.fndesc, [state.library])
        state.reload_init.extend(state.library._reload_init)
        state["cr"] = state.cr._replace(cfunc=piece)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class _EntryLowering(NativeLowering):
    """Lowers an entry and links what it runs."""

    _name = "empirelab_entry_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = _new_library(_EntryLibrary, state)
        state.library.loops_stay = loops_stay(state.func_id.func.__module__)
        done = bool(super().run_pass(state))
        # What is called by its address is made executable only later: numba would not note what its code needs.
        needed = {each for library in state.library._linking_libraries for each in library._reload_init}
        state.reload_init.extend(needed.difference(state.reload_init))
        return done


def _new_library(kind: type[_Library], state: Any) -> _Library:
    """Return an empty library whose machine code can be kept."""
    library = kind(state.targetctx.codegen(), state.func_id.func_qualname)
    library.enable_object_caching()
    return library


class _Pipeline(CompilerBase):
    """numba's pipeline with a lowering of our own."""

    lowering: type[NativeLowering]

    def define_pipelines(self) -> list[PassManager]:
        usual = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes = PassManager(usual.pipeline_name)
        passes.passes = [(self.lowering if each is NativeLowering else each, text) for each, text in usual.passes]
        passes.finalize()
        return [passes]


class _PiecePipeline(_Pipeline):
    """Compiles what kernels call."""

    lowering = _PieceLowering


class EntryPipeline(_Pipeline):
    """Compiles what Python calls, or what is called by its address."""

    lowering = _EntryLowering


class _Flags(Flags):
    """numba's flags, told apart quickly: it looks them up at every call of an operator."""

    def __hash__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Flags) and self._values == other._values)


class _PieceCompiler(_FunctionCompiler):
    def _customize_flags(self, flags: Any) -> Any:
        flags = _Flags(flags)
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        return flags


def calling(function: Callable[..., Any], piece: Any) -> Callable[..., Any]:
    """Return a function that only calls a piece, in the place of the function that the piece is made of."""
    names = ", ".join(inspect.signature(function).parameters)
    space: dict[str, Any] = {"_piece": piece, "__name__": function.__module__}
    exec(f"def {function.__name__}({names}):\n    return _piece({names})\n", space)
    called: Callable[..., Any] = space[function.__name__]
    called.__qualname__ = function.__qualname__
    return called


class _EntryCompiler(_FunctionCompiler):
    """Compiles, in the place of a function, one that only calls its piece."""

    def __init__(self, function: Callable[..., Any], piece: PieceDispatcher, options: dict[str, Any]) -> None:
        super().__init__(function, CPUDispatcher.targetdescr, options, {}, EntryPipeline)
        self._entry = calling(function, piece)

    def _get_implementation(self, args: Any, kws: Any) -> Callable[..., Any]:
        return self._entry

    def _customize_flags(self, flags: Any) -> Any:
        flags = _Flags(flags)
        flags.no_cfunc_wrapper = True
        return flags


class PieceDispatcher(CPUDispatcher):
    """A kernel as other kernels see it."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any], widen: Widen) -> None:
        super().__init__(function, targetoptions=options)
        self._compiler = _PieceCompiler(function, self.targetdescr, options, {}, _PiecePipeline)
        self._widen = widen

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Compile the piece for a call and say what it returns."""
        return super().get_call_template(tuple(self._widen(kind) for kind in args), kws)

    def add_overload(self, compiled: Any) -> None:
        """Note a compiled piece; numba would have an executable function, too."""
        self.overloads[tuple(compiled.signature.args)] = compiled


class EntryDispatcher(CPUDispatcher):
    """A kernel as Python sees it; kernels that name it call its piece."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any], widen: Widen) -> None:
        super().__init__(function, targetoptions=options)
        self._piece = PieceDispatcher(function, options, widen)
        self._compiler = _EntryCompiler(function, self._piece, options)

    @property
    def _numba_type_(self) -> Any:
        return numba.types.Dispatcher(self._piece)


class SharedDispatcher(EntryDispatcher):
    """An entry that kernels, too, call by its machine code."""

    is_shared = True

    def __init__(self, function: Callable[..., Any], options: dict[str, Any], widen: Widen, digest: Digest) -> None:
        super().__init__(function, options, widen)
        self._digest = digest
        self._called = _SharedCalls(self, options, widen)

    @property
    def _numba_type_(self) -> Any:
        return numba.types.Dispatcher(self._called)

    def register(self, kinds: tuple[Any, ...]) -> str:
        """Have machine code for arguments of these types; return the name by which what is linked finds it."""
        self.compile(kinds)
        made: Any = self.overloads[kinds]
        name = f"empirelab.{self.py_func.__qualname__}.{self._digest(self.py_func)}.{_digest_of(kinds)}"
        llvm.add_symbol(name, made.library.get_pointer_to_function(made.fndesc.mangled_name))
        return name


class _SharedCalls(PieceDispatcher):
    """A shared kernel as other kernels see it: a name to be linked."""

    def __init__(self, entry: SharedDispatcher, options: dict[str, Any], widen: Widen) -> None:
        super().__init__(entry.py_func, options, widen)
        self._entry = entry

    def compile(self, sig: Any) -> Any:
        """Let kernels call the entry for arguments of these types."""
        kinds = tuple(sig)
        if kinds not in self.overloads:
            self._name(kinds)
        return self.get_overload(kinds)

    def _name(self, kinds: tuple[Any, ...]) -> None:
        """Give kernels in the place of a piece a name that stands for the entry's machine code."""
        name = self._entry.register(kinds)
        made: Any = self._entry.overloads[kinds]
        called = copy.copy(made.fndesc)
        called.mangled_name = name
        function = self._entry.py_func
        context: Any = self.targetctx
        library = _PieceLibrary(context.codegen(), function.__qualname__)
        library.finalize()
        # What has been kept is told again where the code is when it is read.
        library._reload_init.add(functools.partial(_register_again, function.__module__, function.__qualname__, kinds))
        piece = _Piece()
        context.insert_user_function(piece, called, [library])
        self.overloads[kinds] = made._replace(entry_point=piece)


def _register_again(module: str, name: str, kinds: tuple[Any, ...]) -> None:
    """Have the machine code of a shared kernel that kept code calls."""
    getattr(importlib.import_module(module), name).register(kinds)


def _digest_of(kinds: tuple[Any, ...]) -> str:
    """Tell types of arguments apart in a name."""
    return hashlib.sha256(repr(kinds).encode()).hexdigest()[:16]
