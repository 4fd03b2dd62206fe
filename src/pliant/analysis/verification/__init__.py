"""Do all ways of writing and computing a system give one answer?"""
